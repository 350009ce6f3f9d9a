#!/usr/bin/env bash
# Fuzzes the manifest parser and resolver of each family, the patterns of ids, and streams of results, two at a time.
# Usage: deploy/fuzz.sh [SECONDS]     how long each of the seven targets runs (60)
#   REFUTE_SEED   where the mutations start from (the time, so that no two runs are the same)
# An input that is found is written to a file below TMPDIR, which the failure names.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/setup.sh"
. "$here/env.sh"
cd "$refute_root"
: "${REFUTE_SEED:=$(date +%s)}"
export REFUTE_SEED REFUTE_FUZZ_SECONDS=${1:-60}
printf '%s s each, from seed %s\n' "$REFUTE_FUZZ_SECONDS" "$REFUTE_SEED"

# The targets, for each of the two that run tests.
nextest=(cargo nextest run --locked -p refute-shared -p refute-coordinator -E 'binary(fuzz) | test(/^rpc::assemble::fuzz::/)')
shared=(cargo test --locked -p refute-shared --test fuzz)
coordinator=(cargo test --locked -p refute-coordinator --lib)

build() {
    if command -v cargo-nextest >/dev/null 2>&1; then
        "${nextest[@]}" --no-run
    else
        "${shared[@]}" --no-run && "${coordinator[@]}" --no-run
    fi
}

run() {
    if command -v cargo-nextest >/dev/null 2>&1; then
        "${nextest[@]}" --no-fail-fast --test-threads 2 --success-output final
    else
        "${shared[@]}" -- --test-threads 2 --nocapture && "${coordinator[@]}" rpc::assemble::fuzz:: -- --nocapture
    fi
}

build
# Whatever an input asks for, the machine keeps its memory.
ulimit -v 4000000
run
