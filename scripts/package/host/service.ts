/** Lines of the shell that .deb and .rpm have in common: the account, the data and the service. */

export const CREATE_ACCOUNT = `getent passwd slipway > /dev/null ||
  useradd --system --user-group --home-dir /var/lib/slipway --no-create-home \\
    --shell /usr/sbin/nologin slipway
[ -d /var/lib/slipway ] || install -d -o slipway -g slipway -m 0700 /var/lib/slipway`

/** Also ends downloads that continue in an earlier process: its files go. */
export const END_DRAINING = `systemctl kill slipway.service 2> /dev/null || true`

export const INTRODUCE = `cat << 'END'
Slipway runs at http://127.0.0.1:4780. This prints the link that creates its first account:
  sudo journalctl -u slipway --grep 'Create the host account' --output cat | tail -n 1
For HTTPS and backups, see /usr/lib/slipway/deploy.md
END`

export const TELL_KEPT = `cat << 'END'
The builds and accounts of Slipway are still in /var/lib/slipway. To delete them:
  sudo rm -r /var/lib/slipway
END`
