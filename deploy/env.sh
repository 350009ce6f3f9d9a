# shellcheck shell=bash
# Sourced by the other scripts: tells cargo where the finished RocksDB is, so that no build compiles it again. Where
# deploy/setup.sh has run, cargo called by hand knows it as well, by .cargo/config.toml.
#
# REFUTE_CACHE is where it is kept (default: ~/.cache/refute). The folder is named by everything the archive depends
# on: the crate's version in Cargo.lock, the machine's kind, and a checksum of the C++ compiler's version and of the
# script that builds it, deploy/rocksdb.sh.

refute_root=$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")/.." && pwd)
: "${REFUTE_CACHE:=${XDG_CACHE_HOME:-$HOME/.cache}/refute}"

refute_rocksdb_dir() {
    local version recipe
    version=$(sed -n '/^name = "librocksdb-sys"$/{n;s/^version = "\(.*\)"$/\1/p;}' "$refute_root/Cargo.lock")
    recipe=$({ "${CXX:-c++}" --version 2>/dev/null | head -n 1 && cat "$refute_root/deploy/rocksdb.sh"; } | cksum | cut -d' ' -f1)
    printf '%s/rocksdb-%s-%s-%s' "$REFUTE_CACHE" "$version" "$(uname -m)" "$recipe"
}

export REFUTE_CACHE
export PATH="$REFUTE_CACHE/tools/bin:$PATH"
ROCKSDB_LIB_DIR=$(refute_rocksdb_dir)
export ROCKSDB_LIB_DIR ROCKSDB_STATIC=1
