import { parseProblem } from './api-client'
import { checkConnection, patientFetch } from './connection'

/** A page that loads longer than this shows what its replies said, and asks again. In ms. */
const MOST_AGE_MS = 30_000

/** Replies to calls that came with the page (server/features/visitor-pages), by address. */
const replies = new Map<string, unknown>(
  Object.entries(JSON.parse(document.getElementById('replies')?.textContent || '{}') as object),
)

/** The reply to a call that came with the page. Each answers once, and none after a change. */
function takeReply(address: unknown, method = 'GET'): Response | undefined {
  if (method !== 'GET') replies.clear()
  if (typeof address !== 'string' || !replies.has(address)) return undefined
  const reply = replies.get(address)
  replies.delete(address)
  return performance.now() < MOST_AGE_MS ? Response.json(reply) : undefined
}

/**
 * Reports each 401, so that the session ends and the sign-in page opens. Transfers outside the
 * client (uploads with progress) call `reportUnauthorized`.
 */
const listeners = new Set<() => void>()

export function onUnauthorized(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function reportUnauthorized(): void {
  for (const listener of listeners) listener()
}

/** Refusals of a sign-in, which end no session. */
const SIGN_IN_REFUSALS: readonly string[] = ['bad_credentials', 'factor_needed']

/** The fetch of the client, reporting each 401 except those of a sign-in. */
export const watchedFetch: typeof fetch = async (...request) => {
  const [address, init] = request
  const response = takeReply(address, init?.method) ?? (await patientFetch(...request))
  // A proxy that does not reach the host.
  if (response.status === 502 || response.status === 504) void checkConnection()
  const isRefused = response.status === 401
  const text = isRefused ? await response.clone().text() : ''
  if (isRefused && !SIGN_IN_REFUSALS.includes(parseProblem(401, text).code)) reportUnauthorized()
  return response
}
