import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT, decodeJwt, type JWK, type JWTPayload } from 'jose'
import Provider, { type AccountClaims, type Adapter, type AdapterPayload } from 'oidc-provider'
import { Browser } from './system/browser'

export const CLIENT = { id: 'slipway', secret: 'the-secret-of-the-client-at-the-provider' }

/** A person at the provider, as its claims say. */
export type AtProvider = AccountClaims & { sub: string }

export const LEA: AtProvider = {
  sub: 'lea-1',
  email: 'lea@example.org',
  email_verified: true,
  preferred_username: 'lea',
  groups: ['staff', 'developers'],
}

interface Options {
  /** Where the provider sends people back, and reports who signed out. */
  redirect: string
  logout: string
}

/**
 * A real OpenID Connect provider on this computer, in which the person of `state` signs in without
 * being asked, until `stop`.
 */
export async function anOpenIdProvider({ redirect, logout }: Options) {
  const state = {
    person: LEA,
    isDown: false,
    /** The person cancels at the provider. */
    isRefused: false,
    /** Changes the claims of each ID token, which is then signed with the provider's own key. */
    forge: undefined as ((claims: JWTPayload) => JWTPayload) | undefined,
    signWith: undefined as Awaited<ReturnType<typeof aKey>> | undefined,
    /** Replaces what the provider says of itself. */
    describe: (metadata: Record<string, unknown>) => metadata,
  }
  let key = await aKey('first')
  let answer: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined

  const server = createServer((request, response) => {
    if (state.isDown) response.writeHead(503).end()
    else void answer(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const open = () => {
    const provider = configure(url, { redirect, logout, key: key.jwk, person: () => state.person })

    provider.use(async (ctx, next) => {
      await next()
      if (ctx.path === '/token') await forge(ctx)
      if (ctx.path.endsWith('/openid-configuration'))
        ctx.body = state.describe(ctx.body as Record<string, unknown>)
    })
    const serve = provider.callback()
    answer = (request, response) => {
      const isAsked = request.url?.startsWith('/interaction/') === true
      return isAsked ? signIn(provider, request, response) : serve(request, response)
    }
  }

  const forge = async (ctx: { body: unknown }) => {
    const reply = ctx.body as { id_token?: string } | undefined
    if (!state.forge || reply?.id_token === undefined) return
    reply.id_token = await sign(state.forge(decodeJwt(reply.id_token)), state.signWith ?? key)
  }

  const signIn = async (provider: Provider, request: IncomingMessage, response: ServerResponse) =>
    provider.interactionFinished(
      request,
      response,
      state.isRefused
        ? { error: 'access_denied' }
        : { login: { accountId: state.person.sub, remember: true } },
    )

  open()
  return {
    url,
    state,
    /** Signs with a new key from now on, and forgets all sessions. */
    rotate: async () => {
      key = await aKey(`key ${Date.now()}`)
      open()
    },
    /** Signs claims as the provider does. */
    sign: (claims: JWTPayload, typ?: string | null) => sign(claims, key, typ),
    stop: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export type OpenIdProvider = Awaited<ReturnType<typeof anOpenIdProvider>>

/** Goes through the pages of the provider. Returns the address to which it sends the person back. */
export async function visitProvider(
  provider: Pick<OpenIdProvider, 'url'>,
  begun: string,
  browser = new Browser(provider.url),
): Promise<URL> {
  let at = new URL(begun)
  for (let hops = 0; at.origin === provider.url && hops < 10; hops++) {
    const { headers, status } = await browser.fetch(at, { redirect: 'manual' })
    const next = headers.get('location')
    if (next === null) throw new Error(`${at.pathname} answered ${status} without a redirect`)
    at = new URL(next, at)
  }
  return at
}

async function aKey(kid: string) {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  const jwk: JWK = { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' }
  return { kid, privateKey, jwk }
}

const sign = (
  claims: JWTPayload,
  { kid, privateKey }: Pick<Awaited<ReturnType<typeof aKey>>, 'kid' | 'privateKey'>,
  typ: string | null = 'JWT',
) =>
  new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid, ...(typ !== null && { typ }) })
    .sign(privateKey)

/** A key that the provider does not publish, under the name of its own. */
export const aForeignKey = (kid: string) => aKey(kid)

/** What one kind of the provider's records keeps, in memory. */
class Stored implements Adapter {
  readonly #records = new Map<string, AdapterPayload>()

  upsert = async (id: string, payload: AdapterPayload) => void this.#records.set(id, payload)
  find = async (id: string) => this.#records.get(id)
  findByUid = async (uid: string) => [...this.#records.values()].find((it) => it.uid === uid)
  findByUserCode = async () => undefined
  destroy = async (id: string) => void this.#records.delete(id)

  async consume(id: string) {
    const record = this.#records.get(id)
    if (record) record['consumed'] = Math.floor(Date.now() / 1000)
  }

  async revokeByGrantId(grantId: string) {
    for (const [id, record] of this.#records)
      if (record.grantId === grantId) this.#records.delete(id)
  }
}

function configure(
  url: string,
  { redirect, logout, key, person }: Options & { key: JWK; person: () => AtProvider },
): Provider {
  return new Provider(url, {
    adapter: Stored,
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirect],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        id_token_signed_response_alg: 'ES256',
        backchannel_logout_uri: logout,
        backchannel_logout_session_required: true,
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['for tests'] },
    claims: {
      openid: ['sub', 'sid'],
      email: ['email', 'email_verified'],
      profile: ['preferred_username', 'name'],
      groups: ['groups'],
    },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        logoutSource: (ctx, form) => void (ctx.body = form),
        postLogoutSuccessSource: (ctx) => void (ctx.body = 'Signed out'),
      },
    },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => ({ ...person(), sub }) }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    loadExistingGrant: async (ctx) => {
      const { Grant } = ctx.oidc.provider
      const grant = new Grant({
        clientId: ctx.oidc.client?.clientId ?? '',
        accountId: ctx.oidc.session?.accountId ?? '',
      })
      grant.addOIDCScope('openid profile email groups')
      await grant.save()
      return grant
    },
    // Its own refuses addresses of this computer.
    fetch: (address, { body, headers, method } = {}) =>
      fetch(address, { body: body ?? null, headers: headers ?? {}, method: method ?? 'GET' }),
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  })
}
