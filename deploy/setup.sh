#!/usr/bin/env bash
# Installs what the build needs and builds RocksDB once: three minutes of two cores the first time, a second after.
# Usage: deploy/setup.sh
set -euo pipefail

fail() {
    printf 'setup: %s\n' "$1" >&2
    exit 1
}

# The commands and headers that the build needs, each with the Debian package that has it.
missing_packages() {
    command -v c++ >/dev/null 2>&1 || printf 'g++\n'
    command -v ar >/dev/null 2>&1 || printf 'binutils\n'
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
        fail "this system has no apt-get; install a C++20 compiler and libclang by hand (missing here: ${packages[*]}, by their Debian names) and run this again"
    fi
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null 2>&1 || fail "installing ${packages[*]} needs root: run 'apt-get install ${packages[*]}' as root and run this again"
        as_root=(sudo)
    fi
    printf 'setup: installing %s\n' "${packages[*]}" >&2
    "${as_root[@]}" apt-get update -q >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${packages[@]}" >&2
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
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/env.sh"
"$here/rocksdb.sh"
write_cargo_config
