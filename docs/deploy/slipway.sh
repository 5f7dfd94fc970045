#!/bin/sh
# /usr/bin/slipway: root runs the commands of the host as the account that owns its data. The PATH of cron has no sbin.
# /etc/slipway/options may name another folder in DATA, and in PLACES the file of a cluster for commands that need it.
program=/usr/lib/slipway/slipway
[ "$(id -u)" = 0 ] || exec "$program" "$@"
case "${1-} ${2-}" in
  # Compares files with a project.
  'verify '[!-]*) exec "$program" "$@" ;;
esac

DATA=/var/lib/slipway
if [ -r /etc/slipway/options ]; then . /etc/slipway/options; fi
case ${1-} in
  # PLACES is a list of words.
  backup | verify | cluster) set -- "$@" ${PLACES-} ;;
  bucket | invite | manage | mend | mirror | people | reach | rebuild) ;;
  *) exec "$program" "$@" ;;
esac
exec /usr/sbin/runuser -u slipway -- "$program" "$@" --data "$DATA"
