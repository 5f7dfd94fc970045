#!/bin/sh
# Runs the host for systemd. Ends when the host has given up its data folder, so that the next one starts beside the
# downloads that still run here (docs/deploy.md, "Update").
export SLIPWAY_LAUNCHER=$$
# systemd names this shell as the owner of the socket; `exec` keeps the process id of the new one.
sh -c 'LISTEN_PID=$$ exec "$@"' hand-over "$@" &
host=$!
trap 'kill -TERM "$host"' TERM INT
trap 'exit 0' USR1
while :; do
  wait "$host"
  code=$?
  kill -0 "$host" 2> /dev/null || exit "$code"
done
