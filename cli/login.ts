import { hostname } from 'node:os'
import { Failure, printable } from './failure'
import type { Host } from './host'
import { saveKey } from './saved-keys'

const POLL_MS = 2000
/** The time limit of the service that makes tokens for a job, in ms. */
const PATIENCE_MS = 30_000

interface Waiting {
  pairing_id: string
  code: string
  secret: string
  expires_at: string
}

interface Collected {
  status: 'waiting' | 'approved' | 'denied'
  api_key: string | null
  project: { slug: string; title: string } | null
}

/**
 * Gets an API key for this machine: a signed-in person types the code in a browser. Throws
 * `Failure`.
 */
export async function login(
  host: Host,
  project: string | undefined,
): Promise<{ project: string; saved_in: string }> {
  const wish = {
    name: hostname().slice(0, 100),
    ...(project === undefined ? {} : { project_id: project }),
  }
  const { pairing_id, code, secret } = await post<Waiting>(host, '/api/pairings', wish)
  console.error(
    printable(`Open ${host.url}/pair?code=${code}\nand check that it shows the code ${code}.`),
  )

  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    const answer = await collect(host, pairing_id, secret)
    if (answer.status === 'denied') throw new Failure('not_allowed', 'The request was denied.')
    if (answer.api_key === null || answer.project === null) continue
    const saved_in = saveKey(host.url, { key: answer.api_key, project: answer.project.slug })
    host.tell(
      `Done: this machine can upload to ${answer.project.title}. The key is in ${saved_in}.`,
    )
    return { project: answer.project.slug, saved_in }
  }
}

async function collect(host: Host, id: string, secret: string): Promise<Collected> {
  try {
    return await post<Collected>(host, `/api/pairings/${id}/key`, { secret })
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found')
      throw new Failure(
        'not_allowed',
        'Five minutes have passed without an answer. Run the command again.',
      )
    throw error
  }
}

const post = <T>(host: Host, path: string, body: object) =>
  host.json<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

/**
 * Gets a key for 15 minutes, which may only upload to this project, for a CI job without a stored
 * one: GitHub's jobs ask their service for a token, others have one in SLIPWAY_ID_TOKEN. Returns
 * undefined outside such a job. Throws `Failure`.
 */
export async function exchangeCiToken(host: Host, project: string): Promise<string | undefined> {
  const token = process.env['SLIPWAY_ID_TOKEN'] ?? (await askGitHub(host.url))
  if (token === undefined) return undefined

  const { api_key } = await host.json<{ api_key: string }>('/api/auth/publisher-key', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ project, token: token.trim() }),
  })
  return api_key
}

/** GitHub, "OpenID Connect reference", "Methods for requesting the OIDC token". */
async function askGitHub(audience: string): Promise<string | undefined> {
  const { ACTIONS_ID_TOKEN_REQUEST_URL: address, ACTIONS_ID_TOKEN_REQUEST_TOKEN: secret } =
    process.env
  if (address === undefined || secret === undefined) return undefined

  const url = new URL(address)
  url.searchParams.set('audience', audience)
  try {
    const reply = await fetch(url, {
      headers: { authorization: `Bearer ${secret}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
    })
    const { value } = (await reply.json()) as { value?: unknown }
    if (reply.ok && typeof value === 'string') return value
    throw new Error(`it answered ${reply.status}`)
  } catch (cause) {
    throw new Failure(
      'unreachable',
      `The service that makes tokens for this job failed: ${(cause as Error).message}`,
    )
  }
}
