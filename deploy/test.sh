#!/usr/bin/env bash
# Installs what the build needs and passes every check and test, with the time of each stage.
# Usage: deploy/test.sh
# cargo-deny is used if it is there; with CI=true it is installed first, into REFUTE_CACHE.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

stage() {
    local name=$1 started=$SECONDS
    shift
    printf '== %s\n' "$name"
    "$@"
    printf '== %s: %d s\n' "$name" "$((SECONDS - started))"
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

# nextest runs no documentation tests; the project has none.
run_tests() {
    if command -v cargo-nextest >/dev/null 2>&1; then
        cargo nextest run --locked --workspace --lib --bins --tests
    else
        cargo test --locked --workspace --lib --bins --tests
    fi
}

stage 'setup' "$here/setup.sh"
. "$here/env.sh"
cd "$refute_root"
stage 'format' cargo fmt --all -- --check
[ "${CI:-}" != true ] || stage 'cargo-deny' install_deny
stage 'licences and sources' check_licences
stage 'lints' cargo clippy --locked --workspace --all-targets -- -D warnings
stage 'documentation' env RUSTDOCFLAGS='-D warnings' cargo doc --locked --workspace --no-deps --quiet
stage 'tests' run_tests
