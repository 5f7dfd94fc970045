import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { DAY_MS } from '../../core/clock'
import { AppError } from '../../core/errors'
import type { Log } from '../../core/logging/log'
import { Serial } from '../../core/serial'
import type { httpsSettings } from '../../contract/host-settings/sharing'
import type { SettingsData } from '../../data/settings/settings-schema'
import type { Disk } from '../../core/durable-file'
import { loadAuthority } from './authority-file'
import type { Names, Pair } from '../../libraries/certificates/certificate'
import { readPair } from './own-pair'

/** A certificate with less time left is renewed, in ms. */
const RENEW_MS = 30 * DAY_MS

/**
 * `local`: a certificate from this host's own authority. `public`: for the name or address of the
 * public certificate that one, while there is a valid one, and else as `local`. `own`: certificate
 * files of the owner.
 */
export type HttpsChoice = Pick<SettingsData, keyof typeof httpsSettings>

interface Deps {
  dataDir: string
  disk: Disk
  log: Log
  /** The certificate that public authorities issued for reaching this host from the internet. */
  publicPair: () => Promise<Pair | undefined>
  now: () => Date
  choice: () => HttpsChoice
  names: () => Names
  /** Sets the certificates for new connections; none: plain HTTP only. */
  secure: (certificates: {
    own?: Pair
    other?: Pair & { isFor: (name: string) => boolean }
  }) => void
}

interface Current {
  pair: Pair
  parsed: X509Certificate
  wanted: string
}

/** Keeps the certificate of this host in line with its settings, and renews it. */
export class Https {
  #current: Current | undefined
  #public: Omit<Current, 'wanted'> | undefined
  #authority: X509Certificate | undefined
  readonly #queue = new Serial()

  constructor(private readonly deps: Deps) {}

  get isOn(): boolean {
    return this.#current !== undefined
  }

  /** The authority that devices have to trust, if this host created it. */
  get authority(): X509Certificate | undefined {
    return this.#authority
  }

  covers(name: string): boolean {
    return covers(this.#current, name) || covers(this.#public, name)
  }

  /**
   * Whether devices have to trust the authority of this host to open an HTTPS address with this
   * name.
   */
  needsTrust(name: string): boolean {
    return this.#authority !== undefined && !covers(this.#public, name)
  }

  /** The names in a certificate of the owner, which lead to this listener. */
  ownNames(): string[] {
    return this.#authority ? [] : namesIn(this.#current)
  }

  /**
   * The names that the host accepts too: also the public one, if the network's own DNS points to
   * this host.
   */
  names(): string[] {
    return [...this.ownNames(), ...namesIn(this.#public)]
  }

  /** Expiry of the first certificate that ends, in ms since 1970. NaN without certificates. */
  endsAt(): number {
    const ends = [this.#current, this.#public].flatMap((it) =>
      it ? [Date.parse(it.parsed.validTo)] : [],
    )
    return ends.length === 0 ? NaN : Math.min(...ends)
  }

  /** Throws `invalid_input` if this choice cannot be served. */
  async check(choice: HttpsChoice): Promise<void> {
    const { names, now } = this.deps
    if (choice.https === 'own') await readPair(choice, now())
    if (choice.https !== 'local' && choice.https !== 'public') return
    await loadAuthority(this.deps, names(), now()).catch((cause: unknown) => {
      throw new AppError('invalid_input', (cause as Error).message, 'https')
    })
  }

  /**
   * Applies the current settings, addresses and time. On failure the current certificate stays in
   * use.
   */
  refresh(): Promise<void> {
    const done = this.#queue.run(() => this.#refresh())
    done.catch((err: unknown) => this.deps.log.error({ err }, 'cannot apply the HTTPS settings'))
    return done
  }

  async #refresh(): Promise<void> {
    const choice = this.deps.choice()
    const before = [this.#current?.pair, this.#public?.pair.certificate]

    if (choice.https === 'local' || choice.https === 'public') {
      await this.#byAuthority()
    } else {
      const pair = choice.https === 'own' ? await readPair(choice, this.deps.now()) : undefined
      this.#current = pair && { pair, parsed: new X509Certificate(pair.certificate), wanted: '' }
      this.#authority = undefined
    }

    this.#public = choice.https === 'public' ? await this.#publicOne() : undefined
    if (before[0] !== this.#current?.pair || before[1] !== this.#public?.pair.certificate)
      this.#secure()
  }

  async #byAuthority(): Promise<void> {
    const { now, names, log } = this.deps
    const altNames = names()
    const words = JSON.stringify(altNames)
    if (this.#authority && this.#current?.wanted === words && this.#left() > RENEW_MS) return
    const authority = await loadAuthority(this.deps, altNames, now())
    const { issue } = await import('../../libraries/certificates/certificate')
    const pair = issue(authority, altNames, now())
    this.#current = { pair, parsed: new X509Certificate(pair.certificate), wanted: words }
    this.#authority = new X509Certificate(authority.certificate)
    log.info({ names: altNames.names, addresses: altNames.addresses }, 'generated a certificate')
  }

  /**
   * Returns undefined without a valid certificate. Devices then get one from this host's own
   * authority.
   */
  async #publicOne(): Promise<Omit<Current, 'wanted'> | undefined> {
    const pair = await this.deps.publicPair().catch((err: unknown) => {
      this.deps.log.warn({ err }, 'cannot read the public certificate')
      return undefined
    })
    const parsed = pair && new X509Certificate(pair.certificate)
    return parsed && Date.parse(parsed.validTo) > this.deps.now().getTime()
      ? { pair, parsed }
      : undefined
  }

  #secure(): void {
    const other = this.#public
    this.deps.secure({
      ...(this.#current && { own: this.#current.pair }),
      ...(other && { other: { ...other.pair, isFor: (name) => covers(other, name) } }),
    })
  }

  /**
   * Remaining validity in ms; 0 if the certificate is not valid yet because the clock was ahead.
   */
  #left(): number {
    const now = this.deps.now().getTime()
    if (!this.#current || Date.parse(this.#current.parsed.validFrom) > now) return 0
    return Date.parse(this.#current.parsed.validTo) - now
  }
}

type Parsed = Pick<Current, 'parsed'> | undefined

const covers = (certificate: Parsed, name: string): boolean =>
  (isIP(name) === 0 ? certificate?.parsed.checkHost(name) : certificate?.parsed.checkIP(name)) !==
  undefined

function namesIn(certificate: Parsed): string[] {
  const all = certificate?.parsed.subjectAltName?.split(', ') ?? []
  return all.flatMap((entry) => /^DNS:([a-z0-9.-]+)$/i.exec(entry)?.[1]?.toLowerCase() ?? [])
}
