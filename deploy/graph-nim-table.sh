#!/usr/bin/env bash
# Prints a table for the README: the graph H1 with weights 0..=N and every claim about it, by one worker; for each N the seconds
# of processor time, the configurations a second and the peak memory of the whole program.
# Usage: deploy/graph-nim-table.sh [N...]; without any: 128 256 512 1024.
# Needs GNU time (Debian's package time). The binary is built in release first.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/env.sh"
[ "$#" -gt 0 ] || set -- 128 256 512 1024
[ -x /usr/bin/time ] || {
    printf 'graph-nim-table: no /usr/bin/time, which measures memory; install it with: apt-get install time\n' >&2
    exit 1
}
cargo build --locked --release --quiet --manifest-path "$refute_root/Cargo.toml" -p refute-coordinator >&2
refute="${CARGO_TARGET_DIR:-$refute_root/target}/release/refute"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

printf '| N | configurations | seconds | configurations a second | peak memory |\n| ---: | ---: | ---: | ---: | ---: |\n'
for n in "$@"; do
    status=0
    /usr/bin/time -f '%U %S %M' -o "$scratch/time" \
        "$refute" run h1 --set "space.weights=0..=$n" --workers 1 --data "$scratch/data-$n" --json >"$scratch/report" 2>"$scratch/errors" || status=$?
    # 1 means that a claim was refuted, which is a result.
    if [ "$status" -gt 1 ]; then
        cat "$scratch/errors" >&2
        exit "$status"
    fi
    # GNU time says on a line of its own that a command ended with another code than 0.
    tail -n 1 "$scratch/time" | awk -v n="$n" '{
        configurations = (n + 1) ^ 4
        seconds = $1 + $2
        printf "| %d | %.3g | %.2f | %.2g | %.0f MiB |\n", n, configurations, seconds, configurations / (seconds > 0 ? seconds : 0.01), $3 / 1024
    }'
done
