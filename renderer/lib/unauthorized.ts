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

/** The platform's fetch, reporting every 401. */
export const watchedFetch: typeof fetch = async (...request) => {
  const response = await fetch(...request)
  if (response.status === 401) reportUnauthorized()
  return response
}
