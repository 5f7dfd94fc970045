#!/bin/sh
# /usr/local/bin/slipway: the commands of the host, as the account that owns its data.
exec runuser -u slipway -- /opt/slipway/bin/node /opt/slipway/dist/server/cli.js "$@" --data /var/lib/slipway
