#!/bin/sh
# /usr/local/bin/slipway: the commands of the host, as the account that owns its data. The PATH of cron has no sbin.
exec /usr/sbin/runuser -u slipway -- /opt/slipway/bin/node /opt/slipway/dist/server/cli.js "$@" --data /var/lib/slipway
