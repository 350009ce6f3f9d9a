#!/usr/bin/env bash
# Runs the tests of faults for longer than a build server does, and the papers' claims as texts on every built-in sweep, and sums up at
# the end. About two hours of two cores.
# Usage: deploy/soak.sh
#   REFUTE_ROUNDS           how often the coordinator is killed (200)
#   REFUTE_SEED             where the moments of the kills start from (the time, so that no two runs are the same)
#   REFUTE_SILENCE_SECONDS  how long the network is silent (60)
#   REFUTE_SEEDS            how many histories of the whole system are simulated (20000)
#   REFUTE_SHARDS           how many shards go through sockets (100000)
#   REFUTE_HOSTILE_SECONDS  how long random hostile clients are beside honest workers, on loopback (3600)
# Install what the tests need with deploy/test.sh first; here a test without its tool fails.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/setup.sh" || exit
. "$here/env.sh"
cd "$refute_root" || exit
: "${REFUTE_ROUNDS:=200}" "${REFUTE_SEED:=$(date +%s)}" "${REFUTE_SILENCE_SECONDS:=60}" "${REFUTE_SEEDS:=20000}"
: "${REFUTE_SHARDS:=100000}" "${REFUTE_HOSTILE_SECONDS:=3600}"
export REFUTE_ROUNDS REFUTE_SEED REFUTE_SILENCE_SECONDS REFUTE_SEEDS REFUTE_SHARDS REFUTE_HOSTILE_SECONDS CI=true PATH="$PATH:/usr/sbin:/sbin"

summary=()
failed=0

stage() {
    local name=$1 started=$SECONDS outcome=passed
    shift
    printf '== %s\n' "$name"
    "$@" || { outcome=FAILED; failed=1; }
    summary+=("$(printf '%-6s  %4d s  %s' "$outcome" "$((SECONDS - started))" "$name")")
}

# The tests of one binary whose names match; that there are none is a failure.
tests() {
    cargo nextest run --locked --no-fail-fast --success-output immediate -p refute-coordinator --test "$1" -- "${@:2}"
}

stage 'build' cargo build --locked -p refute-coordinator -p refute-worker --bins
stage "$REFUTE_ROUNDS kills of the coordinator from seed $REFUTE_SEED" tests end_to_end acknowledgements::
stage "$REFUTE_SILENCE_SECONDS s of silence" tests end_to_end partitions::
stage "$REFUTE_SEEDS simulated histories" tests simulation
stage "$REFUTE_SHARDS shards through sockets" tests end_to_end many::very_many_shards
# Counts and counterexamples of the texts are those of the compiled predicates.
stage 'the claims with a text on every built-in sweep' \
    cargo test --locked --release -p refute-shared --lib -- --ignored --nocapture on_every_built_in_sweep
# An honest call that waits for a second fails this: leave the machine to it.
stage "$REFUTE_HOSTILE_SECONDS s of hostile clients" tests end_to_end guests::
printf '\n'
printf '%s\n' "${summary[@]}"
exit "$failed"
