import { z } from 'zod'
import type { Clock } from '../../core/clock'
import { parseJson } from '../../core/json'
import { discoveryAddress, isSafe } from '../../network/issuer-keys'
import { askOutside } from '../../network/outgoing'

const PATIENCE_MS = 10_000
/** Clocks may differ by this. */
export const TOLERANCE_S = 60
const REPLY_BYTES = 256 * 1024
const METHODS = new Set(['GET', 'POST'])

/** The host account names the provider, which may be on its own network. */
const LIMITS = { patienceMs: PATIENCE_MS, maxBytes: REPLY_BYTES, mayReach: () => true }

/** Says in words why a provider cannot be used. */
export class ProviderProblem extends Error {
  override readonly name = 'ProviderProblem'
}

const endpointUrl = z.url({ protocol: /^https?$/ })
const texts = z.array(z.string())

const metadataSchema = z
  .object({
    issuer: z.string(),
    authorization_endpoint: endpointUrl,
    token_endpoint: endpointUrl,
    jwks_uri: endpointUrl,
    userinfo_endpoint: endpointUrl.exactOptional(),
    response_types_supported: texts.exactOptional(),
    grant_types_supported: texts.exactOptional(),
    code_challenge_methods_supported: texts.exactOptional(),
    token_endpoint_auth_methods_supported: texts.exactOptional(),
    scopes_supported: texts.exactOptional(),
    claims_supported: texts.exactOptional(),
  })
  .catchall(z.json())
/** What a provider says of itself (OpenID Connect Discovery 1.0 §3). */
export type ProviderMetadata = z.infer<typeof metadataSchema>

/** Asks a provider what it can do. Throws `ProviderProblem`. */
export async function discoverProvider(issuer: string): Promise<ProviderMetadata> {
  if (!URL.canParse(issuer) || !isSafe(new URL(issuer)))
    throw new ProviderProblem('The issuer must begin with https://, so that nobody can change it')

  const address = discoveryAddress(issuer)
  const { status, text } = await askOutside(new URL(address), LIMITS).catch((cause: unknown) => {
    throw new ProviderProblem(`${new URL(issuer).host} cannot be reached: ${reasonOf(cause)}`)
  })

  if (status !== 200)
    throw new ProviderProblem(`${address} answered ${status}. Check the issuer at your provider`)
  const { data: metadata, error } = metadataSchema.safeParse(parseJson(text))
  if (!metadata) {
    const [field] = error.issues[0]?.path ?? []
    const what = field === undefined ? 'is not the description' : `lacks a valid ${String(field)}:`
    throw new ProviderProblem(`${address} ${what} of an OpenID Connect provider`)
  }

  requireUsable(metadata, issuer)
  return metadata
}

function requireUsable(metadata: ProviderMetadata, issuer: string): void {
  if (metadata.issuer !== issuer) {
    const own = metadata.issuer.slice(0, 200)
    throw new ProviderProblem(`The provider calls itself ${own}. Enter exactly that as the issuer`)
  }

  const { authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint } = metadata
  const addresses = [authorization_endpoint, token_endpoint, jwks_uri, userinfo_endpoint]
  const unsafe = addresses.find((it) => it !== undefined && !isSafe(new URL(it)))
  if (unsafe !== undefined)
    throw new ProviderProblem(`The provider uses ${unsafe}, which does not begin with https://`)

  const offers = (name: keyof ProviderMetadata, value: string) => {
    const values = metadata[name]
    return !Array.isArray(values) || values.includes(value)
  }
  const hasFlow =
    offers('response_types_supported', 'code') &&
    offers('grant_types_supported', 'authorization_code')
  if (!hasFlow) throw new ProviderProblem('The provider does not offer the authorization code flow')
  if (!offers('code_challenge_methods_supported', 'S256'))
    throw new ProviderProblem('The provider does not offer PKCE with S256')
}

function reasonOf(cause: unknown): string {
  const { code, name, message } = cause as { code?: string; name?: string; message?: string }
  if (name === 'TimeoutError' || name === 'AbortError')
    return `it did not answer within ${PATIENCE_MS / 1000} seconds`
  if (code === 'ECONNREFUSED') return 'nothing answers at that port'
  if (code === 'ENOTFOUND') return 'its name is unknown'
  return code ?? message ?? 'it does not answer'
}

interface Client {
  id: string
  secret: string | undefined
}

/** Loads the library on demand: a start reads none of it. */
const load = () => import('openid-client')

/** Opens a provider for one sign-in, so that its keys are always the present ones. */
export async function openProvider(
  metadata: ProviderMetadata,
  { id, secret }: Client,
  clock: Pick<Clock, 'now'>,
) {
  const library = await load()
  const { token_endpoint_auth_methods_supported: ways = ['client_secret_basic'] } = metadata

  const authentication = (way: 'basic' | 'post') =>
    way === 'basic' ? library.ClientSecretBasic(secret) : library.ClientSecretPost(secret)
  const isPost = !ways.includes('client_secret_basic') && ways.includes('client_secret_post')

  const skew = Math.round((clock.now().getTime() - Date.now()) / 1000)
  const config = new library.Configuration(
    metadata,
    id,
    {
      ...(secret !== undefined && { client_secret: secret }),
      [library.clockSkew]: skew,
      [library.clockTolerance]: TOLERANCE_S,
    },
    secret === undefined ? library.None() : authentication(isPost ? 'post' : 'basic'),
  )

  config[library.customFetch] = fetchLimited
  // Without this, the library would trust the connection in place of the signature.
  library.enableNonRepudiationChecks(config)
  // For a provider on this computer; `requireUsable` refuses any other without TLS.
  // oxlint-disable-next-line typescript/no-deprecated -- marked so that nobody overlooks it
  if (new URL(metadata.issuer).protocol === 'http:') library.allowInsecureRequests(config)
  return { library, config }
}

/** The fetch of the library: short replies, no redirects, and the time limit of `askOutside`. */
async function fetchLimited(
  url: string,
  { method, headers, body }: { method: string; headers: Record<string, string>; body?: unknown },
): Promise<Response> {
  if (!METHODS.has(method)) throw new TypeError(`${method} is not allowed`)
  const sent = body instanceof URLSearchParams ? body.toString() : undefined
  const reply = await askOutside(new URL(url), {
    ...LIMITS,
    method: method === 'POST' ? 'POST' : 'GET',
    headers: {
      ...headers,
      ...(sent !== undefined && { 'content-length': String(Buffer.byteLength(sent)) }),
    },
    ...(sent !== undefined && { body: sent }),
  })

  const { 'content-type': type } = reply.headers
  return new Response(reply.text, {
    status: reply.status,
    headers: type === undefined ? {} : { 'content-type': type },
  })
}
