#!/bin/sh
# The one command of an unpacked host: serve, push, backup and the others that `slipway help` lists.
here=$(dirname "$(readlink -f "$0")")
exec "$here/bin/node" "$here/dist/server/cli.js" "$@"
