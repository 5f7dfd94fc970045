import { hashOfToken, newLinkToken } from '../../access/link-token'
import { AppError } from '../../core/errors'

/**
 * The link that creates the host account. Its token is visible only in the host's output: a
 * loopback address proves nothing, because a local relay (`ssh -R`) gives one to any visitor.
 */
export class SetupLink {
  #hash: string | undefined

  /**
   * Creates a token that replaces the previous one. Valid until a host account exists or the host
   * stops.
   */
  renew(): string {
    const token = newLinkToken()
    this.#hash = hashOfToken(token)
    return token
  }

  require(token: string): void {
    if (this.#hash === undefined || hashOfToken(token) !== this.#hash) throw setupLinkInvalid()
  }
}

export const setupLinkInvalid = (): AppError =>
  new AppError(
    'setup_link_invalid',
    'This setup link is invalid or was already used. ' +
      'Restart the host, or check its output, for a new link.',
  )
