import { hashOfToken, newLinkToken } from '../../access/link-token'
import { AppError } from '../../core/errors'

/**
 * The link that creates the host account. Only a person who can read the output of the host knows its token: a loopback
 * address proves nothing, because a relay on this computer (`ssh -R`) gives one to every stranger.
 */
export class SetupLink {
  #hash: string | undefined

  /** Makes a new token, which replaces the one before. It is valid until a host account exists or the host stops. */
  renew(): string {
    const token = newLinkToken()
    this.#hash = hashOfToken(token)
    return token
  }

  /** Throws `setup_link_invalid` unless this is the token. */
  require(token: string): void {
    if (this.#hash === undefined || hashOfToken(token) !== this.#hash) throw setupLinkInvalid()
  }
}

export const setupLinkInvalid = (): AppError =>
  new AppError(
    'setup_link_invalid',
    'This setup link is invalid or was already used. Restart the host, or check its output, for a new link.',
  )
