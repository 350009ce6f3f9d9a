#!/bin/sh
# Results are never removed here. systemd keeps them below /var/lib/private/refute, with a link at /var/lib/refute.
set -e
if [ -d /run/systemd/system ]; then
    systemctl --system daemon-reload || true
fi
if [ "$1" = purge ]; then
    rmdir /var/lib/private/refute 2>/dev/null || true
    if [ -e /var/lib/refute ]; then
        echo "refute: the results below /var/lib/refute stay; remove them with: rm -r /var/lib/refute /var/lib/private/refute"
    else
        rm -f /var/lib/refute
    fi
    if [ -d /etc/refute ]; then
        echo "refute: what you put into /etc/refute stays: settings, certificates, keys"
    fi
fi
