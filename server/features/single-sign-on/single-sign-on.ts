import { z } from 'zod'
import { routes } from '../../contract/routes'
import { readTierRule } from '../../contract/host-settings/single-sign-on'
import { api } from '../../contract'
import type { Tier } from '../../contract/limits'
import type { Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
import { parseJson } from '../../core/json'
import type { Log } from '../../core/logging/log'
import type { Secrets } from '../../data/settings/secrets'
import type { SettingsData } from '../../data/settings/settings-schema'
import type { Tickets } from '../factors/tickets'
import { joinClaims, readPerson, type ProviderPerson } from './provider-person'
import {
  discoverProvider,
  openProvider,
  ProviderProblem,
  TOLERANCE_S,
  type ProviderMetadata,
} from './provider'

const OTHERWISE = 'Sign in with your password or a passkey, or try again later'
const NO_ADDRESS =
  'This host needs an address with https:// first: set a public URL, or open it by a name'
const NO_AUTH_TIME =
  'It does not say when it last asked a person (the claim auth_time). So people confirm changes ' +
  'of their account by a password or a second factor'

/** What a provider said at the beginning holds until the end of a sign-in. */
const FRESH_MS = 10 * 60_000

/** What a browser keeps, sealed, while a person is at the provider. */
const begunSchema = z.object({
  purpose: z.enum(['sign_in', 'link', 'again']),
  issuer: z.string(),
  clientId: z.string(),
  redirect: z.string(),
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** In seconds since 1970. */
  begunAt: z.number(),
  invite: z.string().optional(),
})
type Begun = z.infer<typeof begunSchema>

/** What a provider has answered about a sign-in that began in the same browser. */
export interface Answer extends Pick<Begun, 'purpose' | 'state' | 'invite'> {
  /** The account whose person began it; null: a stranger. */
  userId: string | null
  until: Date
  /** In ms since 1970. */
  answeredAt: number
  person: ProviderPerson
  /** Whether the provider asked the person since then; undefined: it does not say when it asked. */
  hasAsked: boolean | undefined
}

/** The answer of a provider that opens nothing: it counts as a failed sign-in. */
export class FailedSignIn extends AppError {}

interface Deps {
  settings: { get(): Readonly<SettingsData> }
  secrets: Secrets
  sources: Sources
  tickets: Tickets
  log: Log
  /** The origins that this host is configured with, best first, where no one can listen. */
  origins: () => string[]
}

/**
 * Signs people in by one OpenID Connect provider: authorization code with PKCE (RFC 7636), state
 * and nonce. What a sign-in needs later is sealed in a cookie of the browser that began it, so a
 * stranger who begins a thousand makes the host keep nothing.
 */
export class SingleSignOn {
  #known: { metadata: ProviderMetadata; readAt: number } | undefined
  #asking: { issuer: string; found: Promise<ProviderMetadata> } | undefined

  constructor(private readonly deps: Deps) {}

  /** For people: the provider's name, and the page that begins. Null: it is off. */
  view(): { name: string; url: string } | null {
    const client = this.#client()
    return client && { name: client.name, url: client.redirect }
  }

  /** What the provider must know. Null: this host has no address that is safe. */
  addresses(): { redirect: string; logout: string } | null {
    const [origin] = this.deps.origins()
    if (origin === undefined) return null
    return { redirect: origin + routes.loginSso, logout: origin + api.singleSignOn.logout.path }
  }

  /** The issuer and the client that answers must name. Throws `not_found` if it is off. */
  require() {
    const client = this.#client()
    if (client) return client
    throw notFound('Single sign-on')
  }

  /** Returns, in words, what is wrong with the provider, or else what it lacks. */
  async check(): Promise<{ problem: string | null; note: string | null }> {
    const { sso_issuer: issuer, sso_client_id: id } = this.deps.settings.get()
    const fail = (problem: string) => ({ problem, note: null })
    if (issuer === '') return fail('Save an issuer first')
    if (id === '') return fail('Save a client ID first')
    if (!this.addresses()) return fail(NO_ADDRESS)

    try {
      const { claims_supported: claims } = await discoverProvider(issuer)
      return { problem: null, note: claims?.includes('auth_time') === false ? NO_AUTH_TIME : null }
    } catch (cause) {
      if (cause instanceof ProviderProblem) return fail(cause.message)
      throw cause
    }
  }

  /**
   * Returns the address at the provider, and what the browser keeps. Throws `not_found` and
   * `sso_failed`.
   */
  async begin(
    purpose: Begun['purpose'],
    { userId, invite }: { userId: string | null; invite?: string | undefined },
  ): Promise<{ url: string; kept: string }> {
    const { issuer, id, redirect, secret } = this.require()
    // Asked each time, so that a person is not led to a provider that is down.
    const metadata = await this.#discover(0)
    const { library, config } = await openProvider(metadata, { id, secret }, this.deps.sources)

    const state = library.randomState()
    const nonce = library.randomNonce()
    const verifier = library.randomPKCECodeVerifier()

    const url = library.buildAuthorizationUrl(config, {
      redirect_uri: redirect,
      scope: this.#scopes(metadata).join(' '),
      ...{ state, nonce, code_challenge_method: 'S256' },
      code_challenge: await library.calculatePKCECodeChallenge(verifier),
      ...(purpose === 'again' && { max_age: '0', prompt: 'login' }),
    })

    const begun: Begun = {
      ...{ purpose, issuer, clientId: id, redirect, state, nonce, verifier },
      begunAt: this.deps.sources.now().getTime() / 1000,
      ...(invite !== undefined && { invite }),
    }
    return { url: url.href, kept: this.deps.tickets.issue('sso', userId, JSON.stringify(begun)) }
  }

  /**
   * Verifies what the provider answered to the browser that began. Using the state up is left to
   * the transaction of what follows. Throws `sign_in_expired` and `sso_failed`.
   */
  async finish(kept: string | undefined, query: string): Promise<Answer> {
    const { issuer, id, name, secret } = this.require()
    const ticket = this.deps.tickets.open('sso', kept ?? '')
    const begun = begunSchema.safeParse(parseJson(ticket?.data ?? '')).data
    if (!ticket || begun?.issuer !== issuer || begun.clientId !== id)
      throw new AppError('sign_in_expired', EXPIRED)

    const metadata = await this.#discover(FRESH_MS)
    const { library, config } = await openProvider(metadata, { id, secret }, this.deps.sources)
    const url = new URL(begun.redirect)
    url.search = query

    const answeredAt = this.deps.sources.now().getTime()
    try {
      const tokens = await library.authorizationCodeGrant(config, url, {
        expectedState: begun.state,
        expectedNonce: begun.nonce,
        pkceCodeVerifier: begun.verifier,
      })
      const claims = tokens.claims()
      if (!claims) throw new TypeError('no ID token')

      const info =
        metadata.userinfo_endpoint === undefined
          ? {}
          : await library.fetchUserInfo(config, tokens.access_token, claims.sub)

      const { purpose, state, invite } = begun
      const person = readPerson(issuer, joinClaims(claims, info), this.#groupClaim)
      const { provedAt } = person
      return {
        ...{ purpose, state, invite, userId: ticket.userId, until: new Date(ticket.until) },
        ...{ answeredAt, person },
        hasAsked: provedAt === undefined ? undefined : provedAt >= begun.begunAt - TOLERANCE_S,
      }
    } catch (cause) {
      throw this.#explain(cause, name)
    }
  }

  /** The tier of the first group of a person that has one. */
  tierOf({ groups }: Pick<ProviderPerson, 'groups'>): Tier | undefined {
    return this.deps.settings
      .get()
      .sso_tiers.map(readTierRule)
      .find((rule) => rule !== null && groups.includes(rule.group))?.tier
  }

  get createsAccounts(): boolean {
    return this.deps.settings.get().sso_new_accounts
  }

  get #groupClaim(): string {
    return this.deps.settings.get().sso_group_claim
  }

  #client() {
    const settings = this.deps.settings.get()
    const { sso_issuer: issuer, sso_client_id: id, sso_name: chosen } = settings
    const addresses = this.addresses()
    if (!addresses || id === '' || !URL.canParse(issuer)) return null

    const name = chosen === '' ? new URL(issuer).host : chosen
    const { ssoClientSecret: secret } = this.deps.secrets
    return { issuer, id, name, secret, redirect: addresses.redirect }
  }

  /** Some providers name groups only to those who ask for the scope. */
  #scopes({ scopes_supported: known = [] }: ProviderMetadata): string[] {
    const asksGroups = this.#groupClaim !== '' && known.includes(this.#groupClaim)
    return ['openid', 'profile', 'email', ...(asksGroups ? [this.#groupClaim] : [])]
  }

  /**
   * Asks the provider what it says of itself, once for all requests that wait, unless it said so at
   * most `maxAgeMs` ago. Throws `sso_failed`.
   */
  async #discover(maxAgeMs: number): Promise<ProviderMetadata> {
    const { issuer, name } = this.require()
    const known = this.#known?.metadata.issuer === issuer ? this.#known : undefined
    const now = this.deps.sources.now().getTime()
    if (known && now - known.readAt < maxAgeMs) return known.metadata

    const running = this.#asking?.issuer === issuer ? this.#asking : undefined
    const asking = running ?? { issuer, found: discoverProvider(issuer) }
    this.#asking = asking

    try {
      const metadata = await asking.found
      this.#known = { metadata, readAt: now }
      return metadata
    } catch (cause) {
      throw this.#explain(cause, name)
    } finally {
      if (this.#asking === asking) this.#asking = undefined
    }
  }

  /** Tells the log the reason, which may say too much, and the person what to do. */
  #explain(cause: unknown, name: string): AppError {
    const { code, error } = cause as { code?: unknown; error?: unknown }
    const isRefused = error === 'access_denied'
    const isDown = cause instanceof ProviderProblem || isUnreachable(cause)
    // The library wraps what went wrong, at times twice.
    const reasons = causesOf(cause).map(({ message }) => message)
    if (!isRefused) this.deps.log.warn({ code, error, reasons }, 'single sign-on failed')

    if (isRefused)
      return new AppError(
        'sso_failed',
        `${name} did not sign you in. Try again, or use another way`,
      )
    if (isDown) return new AppError('sso_failed', `${name} cannot be reached now. ${OTHERWISE}`)
    return new FailedSignIn(
      'sso_failed',
      `The answer of ${name} could not be verified. Try again. If it keeps failing, tell the ` +
        'person who runs this host',
    )
  }
}

interface Cause extends Error {
  code?: unknown
}

/** An error and what it wraps. */
function causesOf(cause: unknown): Cause[] {
  const causes: Cause[] = []
  for (let at = cause; at instanceof Error && causes.length < 5; at = at.cause) causes.push(at)
  return causes
}

/** Whether a request to the provider got no reply. */
const isUnreachable = (cause: unknown): boolean =>
  causesOf(cause).some(
    ({ code, name }) =>
      (typeof code === 'string' && /^E[A-Z_]+$/.test(code)) ||
      ['TimeoutError', 'AbortError'].includes(name),
  )

const EXPIRED = 'This sign-in took too long, or began in another browser. Start it again'

export const signInRepeated = (): AppError => new FailedSignIn('sign_in_expired', EXPIRED)
