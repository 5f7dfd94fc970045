#!/bin/sh
# /usr/local/bin/slipway: the commands of the host, as the account that owns its data. The PATH of cron has no sbin.
# /etc/slipway/options may name another folder in DATA, and in PLACES the file of a cluster for commands that need it.
DATA=/var/lib/slipway
if [ -r /etc/slipway/options ]; then . /etc/slipway/options; fi
# PLACES is a list of words.
case ${1-} in backup | verify | cluster) set -- "$@" ${PLACES-} ;; esac
exec /usr/sbin/runuser -u slipway -- /opt/slipway/bin/node /opt/slipway/dist/server/cli.js "$@" --data "$DATA"
