import { problemSchema, type ErrorCode } from '../../../server/contract'
import { checkConnection, patientFetch } from './connection'

/**
 * Reports each 401, so that the session ends and the sign-in page opens. Transfers outside the client (uploads with
 * progress) call `reportUnauthorized`.
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
  const response = await patientFetch(...request)
  // A proxy that does not reach the host.
  if (response.status === 502 || response.status === 504) void checkConnection()
  if (response.status === 401 && (await readErrorCode(response.clone())) !== 'bad_credentials') reportUnauthorized()
  return response
}

async function readErrorCode(response: Response): Promise<ErrorCode | undefined> {
  const problem = problemSchema.safeParse(await response.json().catch(() => undefined))
  return problem.data?.code
}
