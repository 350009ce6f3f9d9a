#!/usr/bin/env bash
# Installs what the build needs and builds RocksDB once: about 30 minutes of one core the first time, a second after.
# Usage: deploy/setup.sh
set -euo pipefail

fail() {
    printf 'setup: %s\n' "$1" >&2
    exit 1
}

# The commands and headers that the build calls for, each with the Debian package that has it.
missing_packages() {
    command -v c++ >/dev/null 2>&1 || printf 'g++\n'
    command -v make >/dev/null 2>&1 || printf 'make\n'
    has_libclang || printf 'libclang-dev\n'
}

# bindgen loads libclang at run time and needs the compiler's own headers (stddef.h) beside it.
has_libclang() {
    [ -n "${LIBCLANG_PATH:-}" ] && return 0
    compgen -G '/usr/lib/llvm-*/lib/libclang.so*' >/dev/null && compgen -G '/usr/lib/llvm-*/lib/clang/*/include/stddef.h' >/dev/null
}

install_packages() {
    local packages as_root=()
    mapfile -t packages < <(missing_packages)
    [ "${#packages[@]}" -eq 0 ] && return 0
    if ! command -v apt-get >/dev/null 2>&1; then
        fail "this system has no apt-get; install a C++20 compiler, make and libclang by hand (missing here: ${packages[*]}, by their Debian names) and run this again"
    fi
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 || fail "installing ${packages[*]} needs root: run 'apt-get install ${packages[*]}' as root and run this again"
        as_root=(sudo)
    fi
    printf 'setup: installing %s\n' "${packages[*]}" >&2
    "${as_root[@]}" apt-get update -q >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${packages[@]}" >&2
}

# Builds the crate that compiles RocksDB, alone and in a target folder of its own, and keeps the archive. The copy is
# moved into place whole, so an interrupted build leaves nothing that a later one would take for finished.
build_rocksdb() {
    [ -f "$ROCKSDB_LIB_DIR/librocksdb.a" ] && return 0
    mkdir -p "$REFUTE_CACHE"
    exec 9>"$REFUTE_CACHE/rocksdb.lock"
    flock 9
    [ -f "$ROCKSDB_LIB_DIR/librocksdb.a" ] && return 0
    printf 'setup: building RocksDB into %s, once (about 30 minutes of one core)\n' "$ROCKSDB_LIB_DIR" >&2
    local target="$REFUTE_CACHE/rocksdb-build" archive
    (cd "$refute_root" && env -u RUSTFLAGS ROCKSDB_COMPILE=1 cargo build --locked --quiet --release -p librocksdb-sys --target-dir "$target")
    archive=$(find "$target/release/build" -name librocksdb.a -path '*librocksdb-sys-*' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-)
    [ -n "$archive" ] || fail "cargo built librocksdb-sys but left no librocksdb.a below $target"
    mkdir -p "$ROCKSDB_LIB_DIR"
    cp "$archive" "$ROCKSDB_LIB_DIR/librocksdb.a.new"
    mv "$ROCKSDB_LIB_DIR/librocksdb.a.new" "$ROCKSDB_LIB_DIR/librocksdb.a"
    rm -rf "$target"
    flock -u 9
}

# So that cargo finds the archive when it is called by hand as well. The file is ignored by git.
write_cargo_config() {
    local file="$refute_root/.cargo/config.toml"
    if [ -f "$file" ] && ! grep -q 'Written by deploy/setup.sh' "$file"; then
        return 0
    fi
    mkdir -p "$refute_root/.cargo"
    printf '# Written by deploy/setup.sh.\n[env]\nROCKSDB_LIB_DIR = "%s"\nROCKSDB_STATIC = "1"\n' "$ROCKSDB_LIB_DIR" >"$file"
}

command -v cargo >/dev/null 2>&1 || fail "no cargo: install a Rust toolchain (https://rustup.rs) and run this again"
install_packages
. "$(dirname "${BASH_SOURCE[0]}")/env.sh"
build_rocksdb
write_cargo_config
