import type { JSONWebKeySet } from 'jose'
import { z } from 'zod'
import type { Sources } from '../core/clock'
import { retryLater } from '../core/errors'
import { isLoopback } from '../core/net/ip-address'
import { SizedCache } from '../core/sized-cache'
import { askOutside, type MayReach } from './outgoing'

const PATIENCE_MS = 10_000
const REPLY_BYTES = 256 * 1024
const CACHE_BYTES = 4 * 1024 * 1024
/** Keys are read again after this time, and sooner for a token with an unknown one. */
const FRESH_MS = 10 * 60_000
const SOON_MS = 60_000
/** When a job may try again after its issuer did not answer. */
const RETRY_S = 15
/** Clocks may differ by this. */
const TOLERANCE_S = 60
/** Signatures by keys that only the issuer has (RFC 7518 §3.1): no `none`, no shared secrets. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512']

const discovery = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) })
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })).max(100) })

interface Keys {
  set: JSONWebKeySet
  readAt: number
}

/** Verifies tokens by the keys that their issuers publish (OpenID Connect Discovery 1.0 §4). */
export class IssuerKeys {
  readonly #known = new SizedCache<string, Keys>(CACHE_BYTES)
  readonly #reading = new Map<string, Promise<Keys>>()

  constructor(private readonly deps: { mayReach: MayReach; sources: Pick<Sources, 'now'> }) {}

  /**
   * Whether the issuer signed this token for one of these audiences, and it is valid now. Throws
   * `busy` if the keys of the issuer cannot be read.
   */
  async isSigned(token: string, issuer: string, audience: string[]): Promise<boolean> {
    const known = this.#known.get(issuer)
    const keys = known && this.#age(known) < FRESH_MS ? known : await this.#read(issuer)

    const result = await verify(token, { issuer, audience, keys, now: this.deps.sources.now() })
    if (result !== 'unknown key' || this.#age(keys) < SOON_MS) return result === 'signed'

    // The issuer may have new keys.
    const renewed = await this.#read(issuer)
    const again = { issuer, audience, keys: renewed, now: this.deps.sources.now() }
    return (await verify(token, again)) === 'signed'
  }

  #age({ readAt }: Keys): number {
    return this.deps.sources.now().getTime() - readAt
  }

  /** Reads the keys of an issuer once for all requests that wait for them. */
  #read(issuer: string): Promise<Keys> {
    const running = this.#reading.get(issuer)
    if (running) return running

    const reading = this.#ask(issuer).finally(() => this.#reading.delete(issuer))
    this.#reading.set(issuer, reading)
    return reading
  }

  async #ask(issuer: string): Promise<Keys> {
    try {
      const { jwks_uri, issuer: name } = discovery.parse(await this.#json(discoveryAddress(issuer)))
      if (name !== issuer) throw new Error(`it calls itself ${name}`)

      const set = keySet.parse(await this.#json(jwks_uri)) as JSONWebKeySet
      const keys = { set, readAt: this.deps.sources.now().getTime() }
      this.#known.set(issuer, keys)
      return keys
    } catch {
      throw retryLater('busy', `The keys of ${issuer} cannot be read now`, RETRY_S)
    }
  }

  async #json(address: string): Promise<unknown> {
    const url = new URL(address)
    if (!isSafe(url)) throw new Error(`${url.origin} does not use HTTPS`)

    const { status, text } = await askOutside(url, {
      patienceMs: PATIENCE_MS,
      maxBytes: REPLY_BYTES,
      mayReach: this.deps.mayReach,
    })
    if (status !== 200) throw new Error(`${address} answered ${status}`)
    return JSON.parse(text)
  }
}

/** Where an issuer describes itself (OpenID Connect Discovery 1.0 §4). */
export const discoveryAddress = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`

/** Whether nobody between can change the keys. */
export const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || isLoopback(hostname)

interface Check {
  issuer: string
  audience: string[]
  keys: Keys
  now: Date
}

async function verify(token: string, { issuer, audience, keys, now }: Check) {
  const { createLocalJWKSet, errors, jwtVerify } = await import('jose')

  try {
    await jwtVerify(token, createLocalJWKSet(keys.set), {
      issuer,
      audience,
      algorithms: ALGORITHMS,
      clockTolerance: TOLERANCE_S,
      requiredClaims: ['exp', 'iat'],
      currentDate: now,
    })
    return 'signed'
  } catch (cause) {
    return cause instanceof errors.JWKSNoMatchingKey ? 'unknown key' : 'not signed'
  }
}
