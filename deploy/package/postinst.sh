#!/bin/sh
# The units are known to systemd and not enabled. After an upgrade those that run are started again with the new program.
set -e
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
    systemctl --system daemon-reload || true
    if [ -n "$2" ]; then
        deb-systemd-invoke try-restart refute-coordinator.service refute-worker.service || true
    fi
fi
