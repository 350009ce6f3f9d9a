#!/usr/bin/env bash
# How many shards a second a coordinator hands out, takes back and has on disk, where the shards cost nothing: through sockets,
# with the latency of the disk beside it, and then ten million against schedule and store alone, with what that takes of memory
# and disk. The figures of the README are from here.
# Usage: deploy/throughput.sh [SHARDS]   (instead of ten million)
# The data is below TMPDIR (default: /tmp), about 110 bytes a shard: give it a folder on the disk that is to be measured.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/setup.sh"
. "$here/env.sh"
cd "$refute_root"
cargo bench --locked --quiet -p refute-coordinator --bench shards
cargo bench --locked --quiet -p refute-coordinator --bench ten_million -- "${1:-10000000}"
