#!/usr/bin/env bash
# Installs what the build needs, builds in release, and runs a sweep.
# Usage: deploy/run.sh [arguments of `refute run`]; without any: the built-in sweep four-edges.
# Exit code 1 means that a claim was refuted, which is a result.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
"$here/setup.sh"
. "$here/env.sh"
[ "$#" -gt 0 ] || set -- four-edges
cargo build --locked --release --manifest-path "$refute_root/Cargo.toml" >&2
exec "${CARGO_TARGET_DIR:-$refute_root/target}/release/refute" run "$@"
