#!/usr/bin/env bash
# Starts both units under a systemd of their own, in a container that has this machine's /usr and nothing else of it, solves
# a sweep, kills the coordinator in the middle of it and stops both. Nothing is left behind.
# Usage: deploy/systemd/try.sh FOLDER-OF-THE-BINARIES
# It needs root, and Debian's packages systemd-container, openssl and curl.
set -euo pipefail

fail() {
    printf 'try: %s\n' "$1" >&2
    exit 1
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ "$#" -eq 1 ] || fail 'usage: try.sh FOLDER-OF-THE-BINARIES'
binaries=$(cd "$1" && pwd)
[ -x "$binaries/refute" ] && [ -x "$binaries/refute-worker" ] || fail "there is no refute or no refute-worker in $binaries"
[ "$(id -u)" -eq 0 ] || fail 'a container needs root'
command -v curl >/dev/null 2>&1 || fail 'there is no curl; install it with: apt-get install curl'
command -v systemd-nspawn >/dev/null 2>&1 || fail 'there is no systemd-nspawn; install it with: apt-get install systemd-container'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/certs" "$scratch/etc" "$scratch/said"
"$here/../tls/make-certs.sh" "$scratch/certs" authority >/dev/null
"$here/../tls/make-certs.sh" "$scratch/certs" coordinator hub 127.0.0.1 >/dev/null
"$here/../tls/make-certs.sh" "$scratch/certs" worker box >/dev/null
"$here/../tls/make-certs.sh" "$scratch/certs" client me >/dev/null
cp "$scratch/certs/authority.crt" "$scratch/etc/"
for role in coordinator-hub worker-box client-me; do
    install -m 0600 "$scratch/certs/$role.key" "$scratch/etc/${role%-*}.key"
    cp "$scratch/certs/$role.crt" "$scratch/etc/${role%-*}.crt"
done
printf 'REFUTE_COORDINATOR=https://127.0.0.1:7433\nREFUTE_WORKER_ARGUMENTS="--slots 1 --memory 512MiB"\n' >"$scratch/etc/worker.env"

# What is typed inside.
cat >"$scratch/said/commands" <<'COMMANDS'
#!/usr/bin/env bash
exec >/said/transcript 2>&1
export PATH="/usr/local/bin:$PATH" REFUTE_COORDINATOR=https://127.0.0.1:7433
export REFUTE_TLS_CERT=/etc/refute/client.crt REFUTE_TLS_KEY=/etc/refute/client.key REFUTE_TLS_CA=/etc/refute/authority.crt
typed() {
    printf '$ %s\n' "$1"
    eval "$1"
}
typed 'systemctl start refute-coordinator refute-worker'
sleep 3
typed 'refute workers'
typed 'refute submit hypergraphs --set space.vertices=2..=44'
sleep 5
typed 'systemctl kill --signal=KILL refute-coordinator'
sleep 1
typed 'refute list'
sleep 8
typed 'refute list'
typed 'curl -s http://127.0.0.1:7434/readyz'
typed 'systemctl stop refute-worker'
typed 'refute workers'
typed 'curl -s http://127.0.0.1:7434/metrics | grep ^refute_shard_retries_total'
typed 'systemctl stop refute-coordinator'
typed 'systemctl --no-pager show -p Result -p ExecMainStatus -p NRestarts refute-coordinator refute-worker'
typed 'journalctl --no-pager -o cat -u refute-coordinator -u refute-worker'
systemctl --no-block poweroff
COMMANDS
chmod +x "$scratch/said/commands"
cat >"$scratch/commands.service" <<'UNIT'
[Unit]
After=basic.target
[Service]
Type=oneshot
ExecStart=/said/commands
UNIT

units=/etc/systemd/system
# Of this machine's own units only what a boot cannot do without is started; a first boot would ask questions.
timeout --kill-after=20 120 systemd-nspawn --quiet --register=no --keep-unit --volatile=yes --private-network -D / \
    --bind-ro="$binaries:/usr/local/bin" --bind-ro="$scratch/etc:/etc/refute" --bind="$scratch/said:/said" \
    --bind-ro="$here/refute-coordinator.service:$units/refute-coordinator.service" \
    --bind-ro="$here/refute-worker.service:$units/refute-worker.service" \
    --bind-ro="$scratch/commands.service:$units/commands.service" \
    -b systemd.unit=basic.target systemd.wants=commands.service systemd.mask=systemd-firstboot.service \
    systemd.mask=systemd-networkd-wait-online.service systemd.mask=nftables.service systemd.show_status=0 \
    </dev/null >"$scratch/boot" 2>&1 || true
[ -s "$scratch/said/transcript" ] || {
    cat "$scratch/boot" >&2
    fail 'the container did not start the commands; what it said is above'
}
cat "$scratch/said/transcript"
