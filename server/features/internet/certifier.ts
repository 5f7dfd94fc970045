import { AcmeError } from '../../libraries/acme/acme-error'
import type { InternetDeps } from './needs'
import type { Situation } from './situation'
import type { Run } from './way'

/** A person who asks need not wait for the next try after a failure. */
interface Order extends Run {
  /** A name or an IP address. */
  subject: string
  /** TLS-ALPN-01 at port 443, or HTTP-01 at port 80. */
  by: 'tls' | 'http'
}

/** Orders the certificate of the outside door when one is due, and says how that went. */
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

  /** Whether an order is due by itself, or because a person asks after a failure. */
  isDue(isAsked: boolean): boolean {
    const { certificate, clock, settings } = this.deps
    const { terms_accepted: accepted, acme_directory: directory } = settings()
    if (accepted !== directory) return false
    return (
      certificate.due <= clock.now() ||
      (isAsked && (!this.#isValid() || certificate.problem !== null))
    )
  }

  /** Orders. Returns whether the authority connected to the outside door. */
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
      // At port 80 a failed connection says nothing about the port that people use.
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
