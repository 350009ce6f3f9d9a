#!/usr/bin/env bash
# What check.sh types in a Debian that has booted: the units of the package are started, upgraded while they run, and removed.
set -euo pipefail
exec >/said/transcript 2>&1
ended() {
    [ "$1" -eq 0 ] || journalctl --no-pager -o cat -n 40 -u refute-coordinator -u refute-worker
    systemctl --no-block poweroff >/dev/null 2>&1
}
trap 'ended $?' EXIT
export DEBIAN_FRONTEND=noninteractive REFUTE_COORDINATOR=https://127.0.0.1:7433
export REFUTE_TLS_CERT=/etc/refute/client.crt REFUTE_TLS_KEY=/etc/refute/client.key REFUTE_TLS_CA=/etc/refute/authority.crt

typed() {
    printf '# %s\n' "$1"
    eval "$1"
}

# Waits for a worker, at most ten seconds.
until_there_is_a_worker() {
    local second
    for second in {1..10}; do
        refute workers 2>/dev/null | grep '^worker' && return 0
        sleep 1
    done
    printf 'there is no worker after %d seconds\n' "$second"
    return 1
}

typed 'apt-get install -y -qq -o Dpkg::Use-Pty=0 /said/refute.deb'
typed 'systemctl is-enabled refute-coordinator refute-worker' || true
typed 'systemctl is-active refute-coordinator refute-worker' || true
typed 'cp -r /said/etc/. /etc/refute/'
typed 'systemctl enable --now refute-coordinator refute-worker'
typed until_there_is_a_worker
# It refutes claims, which is code 1.
# shellcheck disable=SC2016
typed '{ refute watch "$(refute submit four-edges)" || [ $? -eq 1 ]; } | grep fingerprint'
started=$(systemctl show -p ExecMainStartTimestampMonotonic --value refute-coordinator refute-worker)
typed 'apt-get install --reinstall -y -qq -o Dpkg::Use-Pty=0 /said/refute.deb'
typed 'systemctl is-active refute-coordinator refute-worker'
[ "$started" != "$(systemctl show -p ExecMainStartTimestampMonotonic --value refute-coordinator refute-worker)" ]
typed until_there_is_a_worker
typed 'refute list'
typed 'apt-get remove -y -qq -o Dpkg::Use-Pty=0 refute'
typed '! systemctl is-active refute-coordinator refute-worker'
typed 'apt-get purge -y -qq -o Dpkg::Use-Pty=0 refute'
typed 'test -s /var/lib/refute/CURRENT'
typed '! ls /etc/systemd/system/multi-user.target.wants | grep refute'
printf 'the units pass\n'
