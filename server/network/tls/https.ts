import { X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { DAY_MS } from '../../core/clock'
import { AppError } from '../../core/errors'
import type { Log } from '../../core/logging/log'
import type { Disk } from '../../data/durable-file'
import { loadAuthority } from './authority-file'
import type { Names, Pair } from './certificate'
import { readPair } from './own-pair'

/** A certificate with less time left is renewed, in ms. */
const RENEW_MS = 30 * DAY_MS

/** `local`: a certificate from this host's own authority. `own`: certificate files of the owner. */
export interface HttpsChoice {
  mode: 'off' | 'local' | 'own'
  certificate: string
  key: string
  redirect: boolean
}

interface Needs {
  dataDir: string
  disk: Disk
  log: Log
  now: () => Date
  choice: () => HttpsChoice
  names: () => Names
  /** Sets the certificate for new connections; undefined: plain HTTP only. */
  secure: (pair: Pair | undefined) => void
}

interface Current {
  parsed: X509Certificate
  wanted: string
}

/** Keeps the certificate of this host in line with its settings, and renews it. */
export class Https {
  #current: Current | undefined
  #authority: X509Certificate | undefined
  #tail: Promise<unknown> = Promise.resolve()

  constructor(private readonly needs: Needs) {}

  get isOn(): boolean {
    return this.#current !== undefined
  }

  /** The authority that devices have to trust, if this host created it. */
  get authority(): X509Certificate | undefined {
    return this.#authority
  }

  covers(name: string): boolean {
    const { parsed } = this.#current ?? {}
    if (!parsed) return false
    return (isIP(name) === 0 ? parsed.checkHost(name) : parsed.checkIP(name)) !== undefined
  }

  /** The names in a certificate of the owner; the host accepts them too. */
  names(): string[] {
    if (!this.#current || this.#authority) return []
    const all = this.#current.parsed.subjectAltName?.split(', ') ?? []
    return all.flatMap((entry) => /^DNS:([a-z0-9.-]+)$/i.exec(entry)?.[1]?.toLowerCase() ?? [])
  }

  /** Throws `invalid_input` if this choice cannot be served. */
  async check(choice: HttpsChoice): Promise<void> {
    const { names, now } = this.needs
    if (choice.mode === 'own') await readPair(choice, now())
    if (choice.mode !== 'local') return
    await loadAuthority(this.needs, names(), now()).catch((cause: unknown) => {
      throw new AppError('invalid_input', (cause as Error).message, 'https')
    })
  }

  /** Applies the current settings, addresses and time. On failure the current certificate stays in use. */
  refresh(): Promise<void> {
    const done = this.#tail.then(() => this.#refresh())
    this.#tail = done.catch((err: unknown) => this.needs.log.error({ err }, 'cannot apply the HTTPS settings'))
    return done
  }

  async #refresh(): Promise<void> {
    const choice = this.needs.choice()
    if (choice.mode === 'local') return this.#byAuthority()
    if (choice.mode === 'own') return this.#take(await readPair(choice, this.needs.now()), '')
    if (this.isOn) this.needs.secure(undefined)
    this.#current = this.#authority = undefined
  }

  async #byAuthority(): Promise<void> {
    const { now, names, log } = this.needs
    const wanted = names()
    const words = JSON.stringify(wanted)
    if (this.#authority && this.#current?.wanted === words && this.#left() > RENEW_MS) return
    const authority = await loadAuthority(this.needs, wanted, now())
    const { issue } = await import('./certificate')
    this.#take(issue(authority, wanted, now()), words, new X509Certificate(authority.certificate))
    log.info({ names: wanted.names, addresses: wanted.addresses }, 'generated a certificate')
  }

  #take(pair: Pair, wanted: string, authority?: X509Certificate): void {
    this.needs.secure(pair)
    this.#current = { parsed: new X509Certificate(pair.certificate), wanted }
    this.#authority = authority
  }

  /** Remaining validity in ms; 0 if the certificate is not valid yet because the clock was ahead. */
  #left(): number {
    const now = this.needs.now().getTime()
    if (!this.#current || Date.parse(this.#current.parsed.validFrom) > now) return 0
    return Date.parse(this.#current.parsed.validTo) - now
  }
}
