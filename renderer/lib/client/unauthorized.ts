import { problemSchema, type ErrorCode } from '../../../server/contract'

/**
 * The one place that hears of a 401, so that the session can end and the sign-in page can open. The client reports
 * by itself; a transfer that does not go through the client (an upload with progress) calls `reportUnauthorized`.
 */
const listeners = new Set<() => void>()

export function onUnauthorized(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function reportUnauthorized(): void {
  for (const listener of listeners) listener()
}

/** The platform's fetch, reporting every 401, except that a password was wrong: that ends no session. */
export const watchedFetch: typeof fetch = async (...request) => {
  const response = await fetch(...request)
  if (response.status === 401 && (await codeOf(response.clone())) !== 'bad_credentials') reportUnauthorized()
  return response
}

async function codeOf(response: Response): Promise<ErrorCode | undefined> {
  const problem = problemSchema.safeParse(await response.json().catch(() => undefined))
  return problem.data?.code
}
