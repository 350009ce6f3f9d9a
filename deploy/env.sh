# shellcheck shell=bash
# Sourced by the other scripts: tells cargo where the finished RocksDB is, so that no build compiles it again. Where
# deploy/setup.sh has run, cargo called by hand knows it as well, by .cargo/config.toml.
#
# REFUTE_CACHE is where it is kept (default: ~/.cache/refute). The folder is named by everything the archive depends
# on: the crate's version in Cargo.lock, the machine's kind and the C++ compiler. deploy/setup.sh fills it.

refute_root=$(cd "$(dirname "${BASH_SOURCE[0]:-$0}")/.." && pwd)
: "${REFUTE_CACHE:=${XDG_CACHE_HOME:-$HOME/.cache}/refute}"

refute_rocksdb_dir() {
    local version compiler
    version=$(sed -n '/^name = "librocksdb-sys"$/{n;s/^version = "\(.*\)"$/\1/p;}' "$refute_root/Cargo.lock")
    compiler=$("${CXX:-c++}" -dumpfullversion -dumpversion 2>/dev/null | head -n 1)
    printf '%s/rocksdb-%s-%s-cxx%s-lz4' "$REFUTE_CACHE" "$version" "$(uname -m)" "${compiler:-unknown}"
}

export REFUTE_CACHE
export PATH="$REFUTE_CACHE/tools/bin:$PATH"
ROCKSDB_LIB_DIR=$(refute_rocksdb_dir)
export ROCKSDB_LIB_DIR ROCKSDB_STATIC=1
