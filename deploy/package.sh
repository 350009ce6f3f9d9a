#!/usr/bin/env bash
# Builds the packages: a .deb, a tarball for any Linux whose libraries are recent enough, and SHA256SUMS of both.
# Usage: deploy/package.sh [--check] [DIR]      DIR is where they go; without it: target/package
# --check installs, uses and removes them afterwards in a Debian 12 of their own, which needs root: see package/check.sh.
#
# SOURCE_DATE_EPOCH, the time of all files, is the commit's if it is not set. Paths of the checkout and of cargo's sources in Rust
# are kept out of the programs; those of RocksDB's sources are in its archive. DEBFULLNAME and DEBEMAIL name the maintainer.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# What the programs may ask of a system at most: the libraries of Debian 12. To build for a newer one, set them.
: "${REFUTE_GLIBC:=2.36}" "${REFUTE_GLIBCXX:=3.4.30}"

fail() {
    printf 'package: %s\n' "$1" >&2
    exit 1
}

# The commands that packing needs, each with the Debian package that has it.
missing_packages() {
    command -v dpkg-shlibdeps >/dev/null 2>&1 || printf 'dpkg-dev\n'
    command -v objdump >/dev/null 2>&1 || printf 'binutils\n'
    command -v xz >/dev/null 2>&1 || printf 'xz-utils\n'
}

install_packages() {
    local packages as_root=()
    mapfile -t packages < <(missing_packages)
    [ "${#packages[@]}" -eq 0 ] && return 0
    command -v apt-get >/dev/null 2>&1 || fail "this system has no apt-get; packages are built on Debian or Ubuntu"
    [ "$(id -u)" -eq 0 ] || as_root=(sudo)
    printf 'package: installing %s\n' "${packages[*]}" >&2
    "${as_root[@]}" apt-get update -q >&2
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${packages[@]}" >&2
}

# The version in Cargo.toml. A commit that has no tag of that version comes before it: 0.1.0~20261130033020.9a1856d.
package_version() {
    local version
    version=$(sed -n '/^\[workspace.package\]$/,/^$/s/^version = "\(.*\)"$/\1/p' Cargo.toml)
    [ -n "$version" ] || fail 'there is no version in [workspace.package] of Cargo.toml'
    if in_git && ! git tag --points-at HEAD | grep -qx "v$version"; then
        version+="~$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S).$(git rev-parse --short=7 HEAD)"
    fi
    if in_git && [ -n "$(git status --porcelain)" ]; then
        version+=.dirty
    fi
    printf '%s' "$version"
}

# Whether the sources are a checkout of their own, and not merely below that of something else.
in_git() {
    [ "$(git rev-parse --show-prefix 2>/dev/null || printf none)" = '' ]
}

source_date() {
    if in_git; then
        git log -1 --format=%ct
    else
        stat --format=%Y Cargo.lock
    fi
}

# Paths of the checkout are kept out of the programs.
build_programs() {
    local flags="--remap-path-prefix=$refute_root=/refute --remap-path-prefix=${CARGO_HOME:-$HOME/.cargo}=/cargo"
    RUSTFLAGS="${RUSTFLAGS:+$RUSTFLAGS }$flags --remap-path-prefix=$target=/refute/target" \
        cargo build --locked --profile dist -p refute-coordinator -p refute-worker --features refute-coordinator/parquet --bins >&2
}

# Refuses programs that need newer symbols of a library than the packages promise.
check_symbols() {
    local name=$1 promised=$2 needed
    needed=$(objdump -T "$target/dist/refute" "$target/dist/refute-worker" | grep -o "\b${name}_[0-9.]*" | sed "s/^${name}_//" | sort -Vu | tail -n 1)
    [ "$(printf '%s\n%s\n' "$needed" "$promised" | sort -V | tail -n 1)" = "$promised" ] ||
        fail "the programs need ${name}_$needed and packages promise $promised: build on Debian 12, or promise that by REFUTE_$name=$needed"
}

# The licences of all that is linked into the programs, each text once, with the crates that it covers.
third_party() {
    local name version folder file sum
    local -A text=() covers=()
    cargo tree --locked -p refute-coordinator -p refute-worker --edges normal --prefix none --no-dedupe |
        grep -v ' (/' | sort -u >"$scratch/crates"
    while read -r name version _; do
        for folder in "${CARGO_HOME:-$HOME/.cargo}"/registry/src/*/"$name-${version#v}"; do
            for file in "$folder"/LICEN[CS]E* "$folder"/license* "$folder"/NOTICE* "$folder"/COPYRIGHT* \
                "$folder"/rocksdb/LICENSE.* "$folder"/lz4/lib/LICENSE; do
                [ -f "$file" ] || continue
                sum=$(sha256sum <"$file" | cut -d' ' -f1)
                text[$sum]=$file
                [[ "${covers[$sum]:-}" == *"  $name ${version#v}"$'\n'* ]] || covers[$sum]+="  $name ${version#v}"$'\n'
            done
        done
    done <"$scratch/crates"
    [ "${#text[@]}" -gt 0 ] || fail 'there is no licence of any crate in the registry of cargo'
    printf 'What is linked into refute and refute-worker, and its licences.\n'
    for sum in $(printf '%s\n' "${!text[@]}" | sort); do
        printf '\n%s\n%s\n' '----------------------------------------' "${covers[$sum]}"
        cat "${text[$sum]}"
    done
}

# Everything but the package's own control files, below a prefix such as /usr.
stage() {
    local prefix=$1 docs="$1/share/doc/refute"
    install -d "$prefix/bin" "$prefix/lib/systemd/system" "$docs/tls" "$docs/systemd"
    install -m 0755 -s "$target/dist/refute" "$target/dist/refute-worker" "$prefix/bin/"
    "$target/dist/refute" package-files "$prefix/share" >/dev/null
    install -m 0644 deploy/systemd/*.service "$prefix/lib/systemd/system/"
    install -m 0644 README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$docs/"
    install -m 0644 deploy/systemd/README.md "$docs/systemd/"
    install -m 0644 deploy/tls/README.md "$docs/tls/"
    install -m 0755 deploy/tls/make-certs.sh "$docs/tls/"
    third_party >"$docs/third-party.txt"
}

# Permissions and times as they are to be, whatever the umask and the clock are here.
settle() {
    chmod -R u=rwX,go=rX "$1"
    find "$1" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
}

pack_tarball() {
    local name
    name="refute-$version-$(uname -m)-linux"
    stage "$scratch/$name"
    settle "$scratch/$name"
    tar --create --sort=name --format=gnu --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" \
        --directory="$scratch" "$name" | gzip --no-name --best >"$scratch/out/$name.tar.gz"
}

# The libraries that the programs are linked with, as packages with their least versions.
dependencies() {
    mkdir -p "$scratch/shlibs/debian"
    printf 'Source: refute\n\nPackage: refute\nArchitecture: any\n' >"$scratch/shlibs/debian/control"
    (cd "$scratch/shlibs" && dpkg-shlibdeps -O -e"$target/dist/refute" -e"$target/dist/refute-worker") | sed -n 's/^shlibs:Depends=//p'
}

write_control() {
    local root=$1
    cat >"$root/DEBIAN/control" <<CONTROL
Package: refute
Version: $version
Architecture: $architecture
Maintainer: ${DEBFULLNAME:-The maintainers of refute} <${DEBEMAIL:-maintainers@refute.example}>
Installed-Size: $(du --apparent-size -sk "$root/usr" | cut -f1)
Depends: $(dependencies)
Suggests: openssl, systemd
Section: math
Priority: optional
Description: exhaustive verifier of claims about combinatorial games
 refute takes a theorem or conjecture about a combinatorial game and tries,
 exhaustively and on many machines, to refute it. A coordinator cuts boxes of
 parameters into shards; workers solve every position and compare it with what
 each claim predicts; the report says, claim by claim, whether it held, or
 shows the smallest counterexamples.
 .
 This package has the coordinator and client, refute, and the worker,
 refute-worker, with systemd units for both, which are not enabled. On x86-64
 the processor needs SSE4.2 and PCLMUL, which those made since 2011 have.
CONTROL
}

pack_deb() {
    local root="$scratch/deb" docs="$scratch/deb/usr/share/doc/refute" script
    stage "$root/usr"
    # Debian keeps units, completions of zsh and texts where and as its policy says.
    sed -i -e 's|/usr/local/bin/|/usr/bin/|' -e 's|^# README.md beside this file|# /usr/share/doc/refute/systemd/README.md|' \
        "$root"/usr/lib/systemd/system/*.service
    mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
    gzip --no-name --best "$root"/usr/share/man/man1/*.1 "$docs/third-party.txt"
    mv "$docs/CHANGELOG.md" "$docs/changelog"
    gzip --no-name --best "$docs/changelog"
    # Debian has the text of the Apache licence itself.
    rm "$docs/LICENSE-APACHE" "$docs/LICENSE-MIT"
    { cat deploy/package/copyright && sed -e 's/^$/./' -e 's/^/ /' LICENSE-MIT; } >"$docs/copyright"
    install -d "$root/etc/refute" "$root/DEBIAN"
    settle "$root"
    for script in postinst prerm postrm; do
        install -m 0755 "deploy/package/$script.sh" "$root/DEBIAN/$script"
    done
    write_control "$root"
    (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
    settle "$root/DEBIAN"
    # With several threads xz cuts the archive into other blocks.
    DPKG_DEB_THREADS_MAX=1 dpkg-deb --root-owner-group -Zxz --build "$root" "$scratch/out/refute_${version}_$architecture.deb" >/dev/null
}

check=
if [ "${1:-}" = --check ]; then
    check=1
    shift
fi
[ "$#" -le 1 ] && [[ "${1:-}" != -* ]] || fail 'usage: package.sh [--check] [DIR]'
command -v dpkg-deb >/dev/null 2>&1 || fail 'there is no dpkg-deb; packages are built on Debian or Ubuntu'
"$here/setup.sh"
. "$here/env.sh"
install_packages
out=$(realpath --canonicalize-missing "${1:-${CARGO_TARGET_DIR:-$refute_root/target}/package}")
cd "$refute_root"
target=$(realpath --canonicalize-missing "${CARGO_TARGET_DIR:-target}")
: "${SOURCE_DATE_EPOCH:=$(source_date)}"
export SOURCE_DATE_EPOCH LC_ALL=C
version=$(package_version)
architecture=$(dpkg --print-architecture)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/out"

build_programs
check_symbols GLIBC "$REFUTE_GLIBC"
check_symbols GLIBCXX "$REFUTE_GLIBCXX"
pack_tarball
pack_deb
(cd "$scratch/out" && sha256sum refute-*.tar.gz refute_*.deb >SHA256SUMS)
# Only whole sets are left behind, and only the last one.
mkdir -p "$out"
rm -f "$out"/refute[-_]* "$out/SHA256SUMS"
mv "$scratch"/out/* "$out/"
cat "$out/SHA256SUMS"
[ -z "$check" ] || "$here/package/check.sh" "$out"
