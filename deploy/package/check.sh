#!/usr/bin/env bash
# Installs, uses and removes the packages in a fresh Debian 12 without a compiler, and compares the files before and after.
# Usage: deploy/package/check.sh DIR-OF-PACKAGES [DEBIAN]
# DEBIAN is a folder with a fresh Debian 12, which is copied; without it debootstrap makes one, in about two minutes.
# It needs root, Debian's package debootstrap, and a mirror: REFUTE_MIRROR (default: http://deb.debian.org/debian).
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# The fingerprint of the sweep four-edges, as the README has it.
fingerprint=80f45ad82f8eb67eeb0ccff6846e56f1
: "${REFUTE_MIRROR:=http://deb.debian.org/debian}"

fail() {
    printf 'package-check: %s\n' "$1" >&2
    exit 1
}

# Types a command in the Debian, as root, and shows it.
typed() {
    printf '# %s\n' "$1"
    inside bash -c "$1"
}

inside() {
    chroot "$debian" /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}

# The same as an ordinary user, in that user's home.
typed_by_user() {
    printf '$ %s\n' "$1"
    chroot --userspec=ada:ada "$debian" /usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin HOME=/home/ada LC_ALL=C.UTF-8 \
        bash -c "cd && $1"
}

# Every file with its kind, rights, owner, size, time and target, except what package managers keep for themselves.
list_files() {
    (cd "$debian" && find . \( -path ./proc -o -path ./tmp -o -path ./var/lib/dpkg -o -path ./var/lib/apt -o -path ./var/cache \
        -o -path ./var/log -o -path ./home/ada \) -prune -o -type d -printf '%y %m %U:%G %p\n' \
        -o -printf '%y %m %U:%G %s %t %p %l\n' | LC_ALL=C sort -k 4) >"$1"
}

# Refuses what came or went since the list of before.
nothing_is_left() {
    list_files "$scratch/after"
    diff "$scratch/before" "$scratch/after" || fail "$1: the files differ from those before it was installed, as shown"
    printf 'nothing is left (%d files and folders as before)\n\n' "$(wc -l <"$scratch/after")"
}

make_debian() {
    if [ -n "$1" ]; then
        cp -a "$1" "$debian"
    else
        command -v debootstrap >/dev/null 2>&1 || fail 'there is no debootstrap; install it with: apt-get install debootstrap'
        debootstrap --variant=minbase bookworm "$debian" "$REFUTE_MIRROR" >"$scratch/debootstrap" || {
            cat "$scratch/debootstrap" >&2
            fail 'debootstrap did not make a Debian'
        }
    fi
    mount -t proc proc "$debian/proc"
    # What the packages work together with where it is there, and a user.
    inside apt-get update -qq
    inside apt-get install -y -qq --no-install-recommends apt-utils bash-completion man-db systemd zsh fish >"$scratch/apt" 2>&1 || {
        cat "$scratch/apt" >&2
        fail 'apt-get cannot install what the check needs'
    }
    # systemd makes it when it boots.
    inside install -d -m 0700 /var/lib/private
    inside useradd --create-home --shell /bin/bash ada
    if inside bash -c 'command -v cc || command -v cargo' >/dev/null; then
        fail 'this Debian has a compiler; the check wants one without'
    fi
}

# Runs the sweep as an ordinary user. It refutes claims, which is code 1.
run_a_sweep() {
    local code=0
    typed_by_user 'refute run four-edges' >"$scratch/report" || code=$?
    head -n 3 "$scratch/report"
    grep fingerprint "$scratch/report" || true
    printf 'exit code %d\n' "$code"
    [ "$code" -eq 1 ] || fail "refute run four-edges ended with $code and not with 1"
    grep -q "fingerprint $fingerprint" "$scratch/report" || fail "the fingerprint is not $fingerprint"
    typed_by_user 'rm -r refute-data'
}

tell_versions() {
    typed_by_user 'refute --version --verbose'
    typed_by_user 'refute-worker --version --verbose --json'
}

# What a shell offers after `refute stat`.
offer_completions() {
    local words
    # shellcheck disable=SC2016 # the shell in the Debian expands it
    words=$(inside bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader refute
        COMP_WORDS=(refute stat) COMP_CWORD=1 COMP_LINE="refute stat" COMP_POINT=11
        "$(complete -p refute | sed "s/.*-F \([^ ]*\).*/\1/")" refute stat refute; printf "%s\n" "${COMPREPLY[@]}"')
    printf 'bash completes "refute stat" to: %s\n' "$words"
    [ "$words" = status ] || fail 'the completions of bash do not work'
    words=$(inside env HOME=/tmp fish -c 'complete --do-complete "refute stat"' | cut -f1)
    printf 'fish completes "refute stat" to: %s\n' "$words"
    [ "$words" = status ] || fail 'the completions of fish do not work'
    # shellcheck disable=SC2016
    inside zsh -fc 'autoload -U compinit && compinit -u -D && [ "${_comps[refute]}" = _refute ] && autoload +X _refute' ||
        fail 'zsh does not find the completions'
    printf 'zsh completes refute by _refute\n'
}

read_pages() {
    local page text
    for page in refute refute-run refute-serve refute-worker refute-workers; do
        text=$(inside man --warnings "$page" 2>&1) || fail "there is no page $page: $text"
        [[ "$text" != *warning:* ]] || fail "man warns: $text"
        printf 'man page: %s\n' "$(sed -n '/^NAME/{n;s/^ *//p;q}' <<<"$text")"
    done
}

check_deb() {
    cp "$packages"/refute_*.deb "$debian/tmp/refute.deb"
    list_files "$scratch/before"
    typed 'apt-get install -y -qq -o Dpkg::Use-Pty=0 /tmp/refute.deb'
    run_a_sweep
    tell_versions
    read_pages
    offer_completions
    typed 'systemctl is-enabled refute-coordinator refute-worker || true'
    typed 'systemctl enable refute-coordinator refute-worker 2>&1'
    typed 'apt-get remove -y -qq -o Dpkg::Use-Pty=0 refute'
    nothing_is_left 'apt-get remove'

    # The folders that systemd and an administrator would have made.
    typed 'apt-get install -y -qq -o Dpkg::Use-Pty=0 /tmp/refute.deb'
    typed 'install -d -m 0700 /var/lib/private/refute && ln -s private/refute /var/lib/refute'
    typed 'echo results >/var/lib/private/refute/CURRENT && echo REFUTE_COORDINATOR= >/etc/refute/worker.env'
    typed 'apt-get purge -y -qq -o Dpkg::Use-Pty=0 refute'
    typed 'cat /var/lib/refute/CURRENT /etc/refute/worker.env' || fail 'purge took results or settings away'
    typed 'rm -r /var/lib/refute /var/lib/private/refute /etc/refute'
    nothing_is_left 'apt-get purge'

    typed 'apt-get install -y -qq -o Dpkg::Use-Pty=0 /tmp/refute.deb'
    typed 'apt-get purge -y -qq -o Dpkg::Use-Pty=0 refute'
    nothing_is_left 'apt-get purge at once'
}

check_tarball() {
    cp "$packages"/refute-*.tar.gz "$debian/tmp/refute.tar.gz"
    list_files "$scratch/before"
    typed 'tar -xzf /tmp/refute.tar.gz -C /usr/local --strip-components=1 --no-overwrite-dir'
    run_a_sweep
    tell_versions
    typed 'man -w refute-run'
    typed 'systemctl enable refute-worker 2>&1 && systemctl disable refute-worker 2>&1'
    typed 'tar -tzf /tmp/refute.tar.gz | grep -v /$ | cut -d/ -f2- | (cd /usr/local && xargs rm)'
    # Folders may have come, which others may have put something into; nothing else has, and nothing went or changed.
    list_files "$scratch/after"
    diff "$scratch/before" "$scratch/after" | grep '^[<>]' | grep -v '^> d' && fail 'the tarball left or changed this'
    printf 'no file is left\n\n'
}

# Starts both units under a systemd that boots in this Debian, with an upgrade and a removal while they run.
check_units() {
    if ! command -v systemd-nspawn >/dev/null 2>&1 || ! command -v openssl >/dev/null 2>&1; then
        printf 'left out: the units, since there is no systemd-nspawn or no openssl (Debian: systemd-container, openssl)\n'
        return 0
    fi
    local certs="$here/../tls/make-certs.sh" said="$scratch/said" role
    mkdir "$said" "$said/etc"
    cp "$packages"/refute_*.deb "$said/refute.deb"
    {
        "$certs" "$scratch/certs" authority
        "$certs" "$scratch/certs" coordinator hub 127.0.0.1
        "$certs" "$scratch/certs" worker box
        "$certs" "$scratch/certs" client me
    } >/dev/null
    cp "$scratch/certs/authority.crt" "$said/etc/"
    for role in coordinator-hub worker-box client-me; do
        cp "$scratch/certs/$role.crt" "$said/etc/${role%-*}.crt"
        install -m 0600 "$scratch/certs/$role.key" "$said/etc/${role%-*}.key"
    done
    printf 'REFUTE_COORDINATOR=https://127.0.0.1:7433\nREFUTE_WORKER_ARGUMENTS="--slots 1 --memory 512MiB"\n' >"$said/etc/worker.env"
    cp "$here/units.sh" "$said/units.sh"
    printf '[Unit]\nAfter=basic.target\n[Service]\nType=oneshot\nExecStart=/said/units.sh\n' >"$debian/etc/systemd/system/units.service"
    umount "$debian/proc"
    timeout --kill-after=20 180 systemd-nspawn --quiet --register=no --keep-unit --private-network -D "$debian" --bind="$said:/said" \
        -b systemd.unit=basic.target systemd.wants=units.service systemd.mask=systemd-firstboot.service systemd.show_status=0 \
        </dev/null >"$scratch/boot" 2>&1 || true
    [ -s "$said/transcript" ] || {
        cat "$scratch/boot" >&2
        fail 'the container did not start the commands; what it said is above'
    }
    cat "$said/transcript"
    [ "$(tail -n 1 "$said/transcript")" = 'the units pass' ] || fail 'something went wrong under systemd'
}

[ "$#" -ge 1 ] && [ "$#" -le 2 ] || fail 'usage: check.sh DIR-OF-PACKAGES [DEBIAN]'
packages=$(cd "$1" && pwd)
(cd "$packages" && sha256sum --check --strict SHA256SUMS) || fail "SHA256SUMS does not fit what is in $packages"
[ "$(id -u)" -eq 0 ] || fail 'a Debian of its own needs root'
scratch=$(mktemp -d)
debian="$scratch/debian"
# Nothing is removed through a mount that is still there.
trap '{ ! mountpoint -q "$debian/proc" || umount "$debian/proc"; } && rm -rf --one-file-system "$scratch"' EXIT
make_debian "${2:-}"
check_deb
check_tarball
check_units
printf 'the packages pass\n'
