import { parseProblem } from './api-client'
import { checkConnection, patientFetch } from './connection'
import { takeReply } from './page-replies'

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

/** The fetch of the client, reporting each 401 except a wrong password, which ends no session. */
export const watchedFetch: typeof fetch = async (...request) => {
  const [address, init] = request
  const response = takeReply(address, init?.method) ?? (await patientFetch(...request))
  // A proxy that does not reach the host.
  if (response.status === 502 || response.status === 504) void checkConnection()
  const isRefused = response.status === 401
  if (isRefused && parseProblem(401, await response.clone().text()).code !== 'bad_credentials')
    reportUnauthorized()
  return response
}
