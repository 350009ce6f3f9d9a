#!/bin/sh
# Stops the units before their programs go, and takes the links away that `systemctl enable` made.
set -e
if [ "$1" = remove ] && command -v systemctl >/dev/null 2>&1; then
    if [ -d /run/systemd/system ]; then
        deb-systemd-invoke stop refute-worker.service refute-coordinator.service || true
    fi
    systemctl --quiet --no-reload disable refute-worker.service refute-coordinator.service || true
fi
