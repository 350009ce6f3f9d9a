#!/usr/bin/env bash
# Installs what the build needs and passes every check and test, with the time of each stage.
# Usage: deploy/test.sh
# cargo-deny is used if it is there; with CI=true it is installed first, into REFUTE_CACHE.
# The tools of the tests of faults and of deploy/check.sh are installed where that can be done; what has no tool is left out
# with a word, and with CI=true fails.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

stage() {
    local name=$1 started=$SECONDS
    shift
    printf '== %s\n' "$name"
    "$@"
    printf '== %s: %d s\n' "$name" "$((SECONDS - started))"
}

# The commands that tests of faults call for, each with the Debian package that has it.
missing_tools() {
    command -v strace >/dev/null 2>&1 || printf 'strace\n'
    command -v nft >/dev/null 2>&1 || printf 'nftables\n'
    command -v ip >/dev/null 2>&1 || printf 'iproute2\n'
    command -v faketime >/dev/null 2>&1 || printf 'faketime\n'
    command -v openssl >/dev/null 2>&1 || printf 'openssl\n'
}

install_tools() {
    local packages as_root=()
    mapfile -t packages < <(missing_tools)
    [ "${#packages[@]}" -eq 0 ] && return 0
    [ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
    printf 'installing %s\n' "${packages[*]}"
    if ! { "${as_root[@]}" apt-get update -q && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "${packages[@]}"; } >/dev/null; then
        printf 'cannot install %s; run "apt-get install %s" as root for the tests that need them\n' "${packages[*]}" "${packages[*]}"
    fi
}

install_deny() {
    command -v cargo-deny >/dev/null 2>&1 || cargo install --quiet --locked --root "$REFUTE_CACHE/tools" cargo-deny@0.20.2
}

check_licences() {
    if command -v cargo-deny >/dev/null 2>&1; then
        cargo deny --locked check bans licenses sources
    else
        printf 'cargo-deny is not installed: licences and sources of the dependencies are not checked\n'
    fi
}

check_alert_rules() {
    if command -v promtool >/dev/null 2>&1; then
        promtool check config deploy/prometheus/prometheus.yml && promtool test rules deploy/prometheus/refute.tests.yml
    else
        printf 'promtool is not installed: the alert rules of deploy/prometheus are not checked\n'
    fi
}

# Built without its store, `refute` is a client: it needs no RocksDB, and says how to get what is not in it.
check_client() {
    local tree package=(--locked -p refute-coordinator --no-default-features)
    tree=$(cargo tree "${package[@]}" -e normal --prefix none)
    if grep -E '^(librocksdb-sys|rocksdb|refute-worker) ' <<<"$tree"; then
        printf 'the client without a store depends on these\n'
        return 1
    fi
    cargo build "${package[@]}"
    cargo test "${package[@]}" --test client
}

# nextest runs no documentation tests; the project has none.
run_tests() {
    if command -v cargo-nextest >/dev/null 2>&1; then
        cargo nextest run --locked --workspace --features refute-coordinator/parquet --lib --bins --tests
    else
        cargo test --locked --workspace --features refute-coordinator/parquet --lib --bins --tests
    fi
}

stage 'setup' "$here/setup.sh"
. "$here/env.sh"
# Debian keeps what changes networks where only root looks.
export PATH="$PATH:/usr/sbin:/sbin"
cd "$refute_root"
stage 'format' cargo fmt --all -- --check
[ "${CI:-}" != true ] || stage 'cargo-deny' install_deny
stage 'licences and sources' check_licences
stage 'alert rules' check_alert_rules
stage 'lints' cargo clippy --locked --workspace --features refute-coordinator/parquet --all-targets -- -D warnings
stage 'documentation' env RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace --no-deps --quiet
stage 'client without a store' check_client
stage 'files for fleets' "$here/check.sh"
stage 'tools of the tests' install_tools
stage 'tests' run_tests
# From one seed, so that a build that fails is the fault of a change; deploy/fuzz.sh by itself begins somewhere new each time.
[ "${CI:-}" != true ] || stage 'fuzz' env REFUTE_SEED=1 "$here/fuzz.sh" 60
