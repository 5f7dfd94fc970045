import { AcmeError } from '../../libraries/acme/acme-error'
import type { InternetDeps } from './needs'
import type { Situation } from './situation'
import type { Run } from './way'

/** An order. One that a person starts does not wait for the retry after a failure. */
interface Order extends Run {
  /** A name or an IP address. */
  subject: string
  /** TLS-ALPN-01 at port 443, or HTTP-01 at port 80. */
  by: 'tls' | 'http'
}

/** Orders the certificate of the outside door when one is due, and reports the result. */
export class Certifier {
  constructor(
    private readonly deps: Pick<InternetDeps, 'certificate' | 'settings' | 'clock' | 'log'>,
    private readonly situation: Situation,
  ) {}

  /** Offers the stored certificate of a name or address, if there is one. */
  async load(subject: string): Promise<void> {
    await this.deps.certificate.load(subject, this.deps.settings().acme_directory)
    this.situation.apply('certified', this.#isValid() ? 'valid' : 'none')
  }

  /** Whether an order is due, or a person requests one after a failure. */
  isDue(isAsked: boolean): boolean {
    const { certificate, clock, settings } = this.deps
    const { terms_accepted: accepted, acme_directory: directory } = settings()
    if (accepted !== directory) return false
    return (
      certificate.due <= clock.now() ||
      (isAsked && (!this.#isValid() || certificate.problem !== null))
    )
  }

  /** Orders the certificate. Returns whether the authority connected to the outside door. */
  async order({ subject, by, isAsked, signal }: Order): Promise<boolean> {
    if (!this.isDue(isAsked)) return false
    const { certificate, settings } = this.deps
    const { acme_directory: directory, acme_email } = settings()
    const email = acme_email === '' ? null : acme_email

    try {
      const { isProof } = await certificate.order({
        subject,
        directory,
        email,
        by,
        signal,
        agreesToTerms: true,
      })
      this.situation.apply('certified', 'valid')
      return isProof
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof AcmeError)) throw error
      // A failed connection to port 80 says nothing about the public port.
      const failure = { isConnection: error.isConnection && by === 'tls', words: error.detail }
      this.situation.apply('certified', this.#isValid() ? 'valid' : failure)
      return false
    }
  }

  #isValid(): boolean {
    const { certificate, clock } = this.deps
    return (
      certificate.current !== undefined &&
      Date.parse(certificate.current.until) > clock.now().getTime()
    )
  }
}
