#!/usr/bin/env bash
# Makes the certificates with which a coordinator, its workers and its clients know each other: one authority, and a
# certificate for each of them that the authority signs. README.md beside it tells the whole story.
set -euo pipefail

usage() {
    cat <<'USAGE'
Usage: make-certs.sh [--days N] DIR authority
       make-certs.sh [--days N] DIR coordinator NAME HOST...
       make-certs.sh [--days N] DIR worker|client|read-only NAME
       make-certs.sh DIR revoke CERTIFICATE

  authority    DIR/authority.crt and authority.key, for 3650 days; anyone who has that key can make any certificate
  coordinator  for the server that is reached as each HOST, a name or an IP address
  worker       for a machine that solves shards
  client       for a person who submits, pauses and cancels sweeps
  read-only    for a person or a program that looks on
  revoke       puts a certificate that the authority signed on the list DIR/revoked.crl (refute serve --tls-crl)

The last ones make DIR/ROLE-NAME.crt and DIR/ROLE-NAME.key, for 365 days unless --days says otherwise. NAME stands in the
coordinator's log. Keys are EC P-256 and only their owner can read them. No file is ever overwritten.
Example: make-certs.sh certs authority && make-certs.sh certs coordinator hub refute.example 10.0.0.1
USAGE
}

fail() {
    printf 'make-certs: %s\n' "$1" >&2
    exit 2
}

# What is made stands here until it is whole.
scratch=
trap '[ -z "$scratch" ] || rm -rf "$scratch"' EXIT

# From here on something is made; all that can be wrong with the command has been looked at.
begin() {
    mkdir -p "$directory" || fail "'$directory' cannot be made"
    scratch=$(mktemp -d "$directory/.making.XXXXXX") || fail "'$directory' cannot be written to"
}

# Runs openssl, which says much when all is well, and shows what it said only if it is not.
openssl_quietly() {
    openssl "$@" >"$scratch/said" 2>&1 || {
        cat "$scratch/said" >&2
        fail "openssl $1 did not do it; see above"
    }
}

check_name() {
    [[ $1 =~ ^[A-Za-z0-9][A-Za-z0-9._@-]{0,62}$ ]] ||
        fail "'$1' is not allowed as a name; write up to 63 letters, digits, dots, hyphens, underscores or @, and first a letter or digit"
}

# How a host stands in a certificate: an address, or a name.
alternative_name() {
    local label='[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?' number
    if [[ $1 =~ ^[0-9]+\.[0-9]+\.[0-9]+\.[0-9]+$ ]]; then
        for number in ${1//./ }; do
            [ "${#number}" -le 3 ] && [ "$((10#$number))" -le 255 ] || fail "'$1' is no IP address"
        done
        printf 'IP:%s' "$1"
    elif [[ $1 == *:* ]]; then
        [[ $1 =~ ^[0-9A-Fa-f:.]+$ ]] || fail "'$1' is no host; write its name or address without scheme, port and brackets"
        printf 'IP:%s' "$1"
    elif [ "${#1}" -le 253 ] && [[ $1 =~ ^(\*\.)?$label(\.$label)*$ ]]; then
        printf 'DNS:%s' "$1"
    else
        fail "'$1' is neither a host's name nor an IP address; write for instance refute.example or 10.0.0.1"
    fi
}

# Puts a key and its certificate where they belong. The shell refuses to replace a file that somebody else has just made.
keep() {
    local name=$1
    set -o noclobber
    (umask 077 && cat "$scratch/key" >"$directory/$name.key") || fail "'$directory/$name.key' cannot be written"
    cat "$scratch/crt" >"$directory/$name.crt" || fail "'$directory/$name.crt' cannot be written"
    printf '%s\n' "$directory/$name.crt" "$directory/$name.key"
}

refuse_existing() {
    local file
    for file in "$directory/$1.crt" "$directory/$1.key"; do
        [ ! -e "$file" ] || fail "'$file' is there already and is not overwritten; move it away first"
    done
}

need_authority() {
    local file
    for file in "$directory/authority.crt" "$directory/authority.key"; do
        [ -r "$file" ] || fail "there is no '$file' to sign with; first run: make-certs.sh $directory authority"
    done
}

# A key, and a request to certify it for this subject.
request() {
    (umask 077 && openssl_quietly genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$scratch/key")
    printf '[req]\ndistinguished_name = subject\n[subject]\n' >"$scratch/config"
    openssl_quietly req -new -config "$scratch/config" -key "$scratch/key" -subj "$1" -out "$scratch/request"
}

# A number of its own for each certificate; 120 bits, and no sign.
serial() {
    printf '0x%s' "$(openssl rand -hex 15)"
}

make_authority() {
    refuse_existing authority
    begin
    # Two authorities do not have the same name, so that a stranger's is told from a forged one.
    request "/O=refute/CN=refute authority $(openssl rand -hex 4)"
    cat >"$scratch/extensions" <<'EXTENSIONS'
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign, cRLSign
subjectKeyIdentifier = hash
EXTENSIONS
    openssl_quietly x509 -req -in "$scratch/request" -signkey "$scratch/key" -set_serial "$(serial)" -sha256 -days "${days:-3650}" \
        -extfile "$scratch/extensions" -out "$scratch/crt"
    keep authority
}

# A certificate for a role and a name, with this extended key usage and, for a server, the hosts it is reached as.
make_certificate() {
    local role=$1 name=$2 usage=$3 host hosts=
    shift 3
    check_name "$name"
    for host in "$@"; do
        host=$(alternative_name "$host") || exit
        hosts+=${hosts:+, }$host
    done
    need_authority
    refuse_existing "$role-$name"
    begin
    request "/O=refute/OU=refute-$role/CN=$name"
    cat >"$scratch/extensions" <<EXTENSIONS
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = $usage
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
EXTENSIONS
    [ -z "$hosts" ] || printf 'subjectAltName = %s\n' "$hosts" >>"$scratch/extensions"
    openssl_quietly x509 -req -in "$scratch/request" -CA "$directory/authority.crt" -CAkey "$directory/authority.key" \
        -set_serial "$(serial)" -sha256 -days "${days:-365}" -extfile "$scratch/extensions" -out "$scratch/crt"
    keep "$role-$name"
}

# What has been revoked is kept in revoked.txt, from which the list is made each time.
revoke() {
    local certificate=$1
    need_authority
    [ -r "$certificate" ] || fail "'$certificate' cannot be read"
    ! cmp -s "$certificate" "$directory/authority.crt" || fail "an authority cannot revoke itself; make another one, and new certificates"
    openssl verify -no_check_time -CAfile "$directory/authority.crt" "$certificate" >/dev/null 2>&1 ||
        fail "'$certificate' is no certificate that '$directory/authority.crt' signed"
    begin
    [ ! -e "$directory/revoked.txt" ] || cp "$directory/revoked.txt" "$scratch/revoked.txt"
    touch "$scratch/revoked.txt"
    if grep -q "[[:space:]]$(openssl x509 -in "$certificate" -noout -serial | cut -d = -f 2)[[:space:]]" "$scratch/revoked.txt"; then
        fail "'$certificate' has been revoked already"
    fi
    # Each list has a higher number than the one before, as it has one more certificate.
    printf '%04X\n' "$(($(wc -l <"$scratch/revoked.txt") + 1))" >"$scratch/number"
    cat >"$scratch/config" <<CONFIG
[ca]
default_ca = authority
[authority]
database = $scratch/revoked.txt
crlnumber = $scratch/number
crl_extensions = list
certificate = $directory/authority.crt
private_key = $directory/authority.key
default_md = sha256
default_crl_days = 3650
[list]
authorityKeyIdentifier = keyid
CONFIG
    openssl_quietly ca -config "$scratch/config" -revoke "$certificate"
    openssl_quietly ca -config "$scratch/config" -gencrl -out "$scratch/crl"
    mv "$scratch/revoked.txt" "$directory/revoked.txt"
    mv "$scratch/crl" "$directory/revoked.crl"
    printf '%s\n' "$directory/revoked.crl"
}

days=
if [ "${1:-}" = --days ]; then
    [[ ${2:-} =~ ^[1-9][0-9]{0,4}$ ]] || fail "--days: '${2:-}' is no number of days; write one from 1 to 99999"
    days=$2
    shift 2
fi
case ${1:-} in
--help | -h)
    usage
    exit 0
    ;;
'' | -*)
    usage >&2
    exit 2
    ;;
esac
directory=$1 what=${2:-} count=$#
command -v openssl >/dev/null 2>&1 || fail "this needs the command openssl; on Debian: apt-get install openssl"
# Ends with what would be right, unless the number of words is.
wants() {
    local least=$1 most=$2
    [ "$count" -ge "$least" ] && [ "$count" -le "$most" ] || fail "$what takes $3; make-certs.sh --help has an example"
}
case $what in
authority)
    wants 2 2 "nothing more"
    make_authority
    ;;
coordinator)
    wants 4 99 "a name and the hosts that it is reached as"
    make_certificate coordinator "$3" serverAuth "${@:4}"
    ;;
worker | client | read-only)
    wants 3 3 "one name"
    make_certificate "$what" "$3" clientAuth
    ;;
revoke)
    wants 3 3 "one certificate"
    revoke "$3"
    ;;
'') fail "what is to be made in '$directory'? write authority, coordinator, worker, client, read-only or revoke" ;;
*) fail "'$what' is nothing that is made here; write authority, coordinator, worker, client, read-only or revoke" ;;
esac
