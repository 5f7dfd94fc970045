#!/bin/sh
# Runs Node for Windows (SLIPWAY_WINDOWS_NODE) under Wine. It cannot write into pipes there: its output goes into files,
# which tail passes on until it has ended.
set -eu
output=$(mktemp -d "$WINEPREFIX/output-XXXXXX")
: >"$output/1"
: >"$output/2"
tail -f -n +1 -s 0.05 --pid=$$ "$output/1" &
tail -f -n +1 -s 0.05 --pid=$$ "$output/2" >&2 &
exec wine "$SLIPWAY_WINDOWS_NODE" "$@" >"$output/1" 2>"$output/2"
