#!/usr/bin/env bash
# Builds RocksDB as a static archive from the sources in the crate librocksdb-sys. deploy/setup.sh calls it.
# Usage: deploy/rocksdb.sh
#
# Most of the time of compiling RocksDB goes into reading the same headers for each of its 342 sources. Here the compiler
# reads them once for some forty sources: a *unity* file includes that many. An object file gets its name when it is
# complete, so an interrupted build continues where it stopped. The archive is accepted if it holds every source of the
# crate's list and every function of RocksDB's C interface; its checksum is verified each time this script runs.
#
# REFUTE_ROCKSDB_JOBS overrides the number of files compiled at a time.
set -euo pipefail

. "$(dirname "${BASH_SOURCE[0]}")/env.sh"

readonly unity_files=8
# The most that one compiler run was seen to take, with some room.
readonly bytes_per_job=$((2300 * 1024 * 1024))

archive=$ROCKSDB_LIB_DIR/librocksdb.a
work=$ROCKSDB_LIB_DIR.partial
cxx=${CXX:-c++}

fail() {
    printf 'rocksdb: %s\n' "$1" >&2
    exit 1
}

say() {
    printf 'rocksdb: %s\n' "$1" >&2
}

# The folder of a crate's sources, as cargo has downloaded them.
crate_folder() {
    local manifest
    manifest=$(cargo metadata --locked --format-version 1 --manifest-path "$refute_root/Cargo.toml" \
        | grep -o "\"manifest_path\":\"[^\"]*/$1-[0-9][^\"/]*/Cargo.toml\"" | head -n 1 | cut -d'"' -f4)
    [ -n "$manifest" ] || fail "cargo knows no crate $1; is Cargo.lock of this checkout?"
    dirname "$manifest"
}

# The compiler's flags: the definitions of the crate's own build script for Linux, at -O2. The instructions for checksums
# are in every x86-64 processor made since 2011, and without them checksums are several times as slow.
flags() {
    local rocksdb=$1 lz4=$2
    printf '%s\n' -std=c++20 -O2 -fPIC -ffunction-sections -fdata-sections -w -include cstdint \
        "-I$rocksdb/rocksdb/include" "-I$rocksdb/rocksdb" "-I$rocksdb" "-I$lz4/liblz4/lib" \
        -DLZ4=1 -DNDEBUG=1 -DHAVE_ALIGNED_NEW -DHAVE_UINT128_EXTENSION -DOS_LINUX -DROCKSDB_PLATFORM_POSIX \
        -DROCKSDB_LIB_IO_POSIX -DROCKSDB_SCHED_GETCPU_PRESENT -DROCKSDB_AUXV_GETAUXVAL_PRESENT \
        -DROCKSDB_FALLOCATE_PRESENT -DROCKSDB_RANGESYNC_PRESENT
    [ "$(uname -m)" != x86_64 ] || printf '%s\n' -msse4.2 -mpclmul
}

# Every source of the crate's list, and the one that the crate brings itself.
sources() {
    local rocksdb=$1
    grep -v -e '^util/build_version.cc$' -e '^[[:space:]]*$' "$rocksdb/rocksdb_lib_sources.txt" | sed "s|^|$rocksdb/rocksdb/|"
    printf '%s\n' "$rocksdb/build_version.cc"
}

# The name of the symbol that stands in the archive for a source, such as refute_has_db_c_cc.
marker() {
    sed "s|^.*/librocksdb-sys-[^/]*/||; s|^rocksdb/||; s|[^A-Za-z0-9]|_|g; s|^|refute_has_|"
}

# Writes the unity files: runs of the list, and after each source a symbol that says it is there.
write_unity_files() {
    local rocksdb=$1
    paste -d' ' <(sources "$rocksdb") <(sources "$rocksdb" | marker) | awk -v files="$unity_files" -v folder="$work" '
        { line[NR] = "#include \"" $1 "\"\nextern \"C\" { extern const char " $2 "; const char " $2 " = 1; }" }
        END { for (i = 1; i <= NR; i++) print line[i] > (folder "/unity-" int((i - 1) * files / NR) ".cc") }'
}

# How many compiler runs fit the cores and the memory, that of a control group too.
jobs_at_a_time() {
    local memory limit jobs
    if [ -n "${REFUTE_ROCKSDB_JOBS:-}" ]; then
        printf '%s' "$REFUTE_ROCKSDB_JOBS"
        return 0
    fi
    memory=$(($(sed -n 's/^MemAvailable: *\([0-9]*\) kB$/\1/p' /proc/meminfo) * 1024))
    limit=$(cat /sys/fs/cgroup/memory.max 2>/dev/null || printf 'max')
    [ "$limit" = max ] || [ "$limit" -ge "$memory" ] || memory=$limit
    jobs=$((memory / bytes_per_job))
    [ "$jobs" -le "$(nproc)" ] || jobs=$(nproc)
    [ "$jobs" -ge 1 ] || jobs=1
    printf '%s' "$jobs"
}

# Compiles one unity file, if that has not been done.
compile() {
    local unity=$1 object=${1%.cc}.o started=$SECONDS options
    [ ! -f "$object" ] || return 0
    mapfile -t options <"$work/flags"
    if ! "$cxx" "${options[@]}" -c "$unity" -o "$object.new" 2>"$object.log"; then
        tail -n 20 "$object.log" >&2
        say "$(basename "$unity") was not compiled; run this again to continue. A compiler that was 'Killed' had too little memory: REFUTE_ROCKSDB_JOBS=1 needs the least"
        return 1
    fi
    mv "$object.new" "$object"
    say "$(find "$work" -name 'unity-*.o' | wc -l) of $unity_files: $(basename "$unity" .cc) in $((SECONDS - started)) s"
}

# Fails unless the archive holds each source of the list and each function that bindings to RocksDB's C interface can call.
check_symbols() {
    local rocksdb=$1 made=$2 missing
    nm "$made" 2>/dev/null | awk '$2 ~ /^[TtRrDdBbVWu]$/ { print $3 }' | sort -u >"$work/symbols"
    missing=$({
        sources "$rocksdb" | marker
        tr '\n' ' ' <"$rocksdb/rocksdb/include/rocksdb/c.h" | grep -oE 'ROCKSDB_LIBRARY_API[^;(]*\(' | grep -oE 'rocksdb_[a-z0-9_]+ *\($' | tr -d ' ('
    } | sort -u | comm -23 - "$work/symbols")
    [ -z "$missing" ] || fail "the archive lacks $(wc -l <<<"$missing") symbols, such as $(head -n 1 <<<"$missing"); remove $work and run this again"
}

is_whole() {
    [ -f "$archive" ] && [ -f "$archive.sha256" ] && (cd "$ROCKSDB_LIB_DIR" && sha256sum --status --check librocksdb.a.sha256)
}

build() {
    local rocksdb lz4 jobs started=$SECONDS
    rocksdb=$(crate_folder librocksdb-sys)
    lz4=$(crate_folder lz4-sys)
    mkdir -p "$work"
    flags "$rocksdb" "$lz4" >"$work/flags"
    write_unity_files "$rocksdb"
    jobs=$(jobs_at_a_time)
    say "building into $ROCKSDB_LIB_DIR, once: $unity_files files, $jobs at a time, some 6 minutes of one core"
    export work unity_files cxx
    export -f compile say
    # The largest first, so that no core is idle at the end.
    printf '%s\n' 1 2 0 7 6 4 3 5 | sed "s|.*|$work/unity-&.cc|" | xargs -P "$jobs" -I{} bash -c 'compile {}' || fail 'RocksDB was not built'
    rm -f "$work/librocksdb.a"
    ar crs "$work/librocksdb.a" "$work"/unity-*.o
    check_symbols "$rocksdb" "$work/librocksdb.a"
    (cd "$work" && sha256sum librocksdb.a >librocksdb.a.sha256)
    mkdir -p "$ROCKSDB_LIB_DIR"
    mv "$work/librocksdb.a" "$work/librocksdb.a.sha256" "$ROCKSDB_LIB_DIR/"
    # Objects of an interrupted build by another compiler or recipe are of no use any more.
    rm -rf "$REFUTE_CACHE"/rocksdb-*.partial
    say "done in $((SECONDS - started)) s"
}

mkdir -p "$REFUTE_CACHE"
exec 9>"$REFUTE_CACHE/rocksdb.lock"
flock 9
if ! is_whole; then
    [ ! -f "$archive" ] || say "$archive does not match its checksum and is built anew"
    build
fi
