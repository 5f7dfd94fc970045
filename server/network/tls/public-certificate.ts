import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP, isIPv6 } from 'node:net'
import { domainToASCII } from 'node:url'
import { DAY_MS, type Clock } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import { errorCode, type Disk } from '../../core/durable-file'
import { AcmeError } from '../../libraries/acme/acme-error'
import type { AcmeOrder, ProvingDoor } from '../../libraries/acme/acme-order'
import type { Pair } from '../../libraries/certificates/certificate'
import { OrderAttempts, type Goal } from './order-attempts'
import { PublicFile, type PublicKeys } from './public-file'

/**
 * The time left at which a long certificate is renewed, in ms; a short one at half its lifetime.
 */
const RENEW_MS = 30 * DAY_MS

interface Deps {
  dataDir: string
  disk: Disk
  log: Pick<Log, 'info' | 'warn'>
  clock: Pick<Clock, 'now'>
  door: ProvingDoor & {
    /** Sets the certificate for new connections; undefined: plain HTTP only. */
    offer(pair: Pair | undefined): void
  }
}

type Order = Pick<AcmeOrder, 'subject' | 'directory' | 'email' | 'agreesToTerms' | 'by' | 'signal'>

interface Current {
  subject: string
  /** Start and end of the validity, as ISO 8601. */
  from: string
  until: string
}

/**
 * Keeps the certificate of the outside door, which clients trust without a setup. Each order
 * replaces the stored one only after success: until then the old one stays in use.
 */
export class PublicCertificate {
  readonly #file: PublicFile
  readonly #attempts: OrderAttempts
  #goal: Goal = { subject: '', directory: '' }
  #current: Current | undefined
  /** The directory of the authority that issued the current certificate. */
  #issuer = ''
  #isOrdering = false

  constructor(private readonly deps: Deps) {
    this.#file = new PublicFile(deps.dataDir, deps.disk)
    this.#attempts = new OrderAttempts(deps.dataDir, deps.disk)
  }

  get current(): Current | undefined {
    return this.#current
  }

  /** Error of the last order, in the authority's words. Null if it succeeded. */
  get problem(): string | null {
    return this.#attempts.problem(this.#goal)
  }

  /**
   * Time of the next order: at half the lifetime or 30 days before expiry, and 1 to 24 hours after
   * a failure. Now, if that has passed or the certificate is from another authority. People can
   * order earlier.
   */
  get due(): Date {
    const now = this.deps.clock.now()
    const retryAt = this.#attempts.computeRetryTime(this.#goal, now) ?? now
    if (!this.#current || this.#issuer !== this.#goal.directory) return retryAt
    const from = Date.parse(this.#current.from)
    const until = Date.parse(this.#current.until)
    return new Date(Math.max(until - Math.min((until - from) / 2, RENEW_MS), retryAt.getTime()))
  }

  /**
   * Offers the stored certificate if it is for this name or address, else none. An expired one is
   * better than none.
   */
  async load(subject: string, directory: string): Promise<void> {
    const { log } = this.deps
    const { path } = this.#file
    this.#goal = { subject: canonical(subject), directory }
    await this.#attempts.load()
    const storedKeys = await this.#file
      .read()
      .catch((err: unknown) => log.warn({ err, path }, 'cannot read the certificate'))
    if (storedKeys === 'damaged')
      log.warn({ path }, 'the public certificate is damaged: a new one has to be ordered')
    this.#serve(storedKeys === 'damaged' ? undefined : (storedKeys ?? undefined))
  }

  /**
   * Orders or renews a certificate, stores and offers it. Returns whether the authority connected
   * to the door, which proves that the internet reaches it. Throws `AcmeError`, or the reason of
   * the signal. One order at a time.
   */
  async order(order: Order): Promise<{ isProof: boolean }> {
    if (this.#isOrdering) throw new Error('An order for a certificate is already in progress')
    this.#isOrdering = true
    try {
      return await this.#order({ ...order, subject: canonical(order.subject) })
    } finally {
      this.#isOrdering = false
    }
  }

  async #order(order: Order): Promise<{ isProof: boolean }> {
    const { log, clock } = this.deps
    const { subject, directory } = order

    if (subject !== this.#goal.subject || directory !== this.#goal.directory)
      await this.load(subject, directory)
    await this.#saved(() => this.#attempts.begin({ subject, directory }, clock.now()))

    try {
      const isProof = await this.#issue(order)
      await this.#noted(() => this.#attempts.forget())
      log.info({ subject, until: this.#current?.until }, 'received a public certificate')
      return { isProof }
    } catch (error) {
      if (order.signal.aborted) await this.#noted(() => this.#attempts.undo())
      else await this.#failed(error, directory)
      throw error
    }
  }

  async #issue(order: Order): Promise<boolean> {
    const { clock, door } = this.deps
    const { directory } = order

    const accountKey = await this.#saved(() => this.#accountKey(directory))
    const now = clock.now()

    const { orderCertificate } = await import('../../libraries/acme/acme-order')
    const key = createPrivateKey(accountKey)
    const { isProof, ...pair } = await orderCertificate({ ...order, accountKey: key, door, now })

    const keys = { directory, accountKey, pair }
    await this.#saved(() => this.#file.write(keys))
    this.#serve(keys)
    return isProof
  }

  /** The stored key of the account, or a new one, which is stored before the authority sees it. */
  async #accountKey(directory: string): Promise<string> {
    const storedKeys = await this.#file.read()
    if (storedKeys === 'damaged') {
      const path = await this.#file.setAside(this.deps.clock.now())
      this.deps.log.warn({ path }, 'kept the damaged public certificate under another name')
    } else if (storedKeys) return storedKeys.accountKey
    const { newKey } = await import('../../libraries/certificates/certificate')
    const { key: accountKey } = newKey()
    await this.#file.write({ directory, accountKey, pair: undefined })
    return accountKey
  }

  #serve(keys: PublicKeys | undefined): void {
    const { subject } = this.#goal
    const parsed = keys?.pair && new X509Certificate(keys.pair.certificate)
    const isFitting = parsed !== undefined && covers(parsed, subject)
    this.#issuer = keys?.directory ?? ''
    this.#current = isFitting
      ? { subject, from: isoOf(parsed.validFrom), until: isoOf(parsed.validTo) }
      : undefined
    this.deps.door.offer(isFitting ? keys?.pair : undefined)
  }

  async #failed(error: unknown, directory: string): Promise<void> {
    const { type, detail, retryAfterMs } =
      error instanceof AcmeError
        ? error
        : new AcmeError('unknown', 'The order failed: see the log of this host')
    this.deps.log.warn({ type, detail, directory }, 'received no public certificate')
    await this.#noted(() => this.#attempts.fail(detail, this.deps.clock.now(), retryAfterMs))
  }

  async #saved<T>(work: () => Promise<T>): Promise<T> {
    return work().catch((error: unknown) => {
      const code = errorCode(error) ?? 'unknown error'
      const isFull = code === 'ENOSPC' || code === 'EDQUOT'
      const words = isFull
        ? 'The disk of this host is full. Free some space, then try again'
        : 'The disk failed'
      throw new AcmeError('notSaved', `The certificate cannot be stored. ${words} (${code})`)
    })
  }

  /** A failure to store the count of orders must not hide how the order ended. */
  async #noted(work: () => Promise<void>): Promise<void> {
    await work().catch((err: unknown) =>
      this.deps.log.warn({ err }, 'cannot store the result of an order'),
    )
  }
}

/** The form that authorities want (RFC 5952, RFC 8555 §7.1.4). */
const canonical = (subject: string) =>
  isIPv6(subject) ? new URL(`http://[${subject}]`).hostname.slice(1, -1) : domainToASCII(subject)
const covers = (certificate: X509Certificate, subject: string) =>
  (isIP(subject) === 0 ? certificate.checkHost(subject) : certificate.checkIP(subject)) !==
  undefined
const isoOf = (date: string) => new Date(date).toISOString()
