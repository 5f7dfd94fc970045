import { ApiError } from '../../lib/client/api-client'

/** Advice for when the host did not answer; undefined for other failures. */
export function unreachableDetail(cause: Error): string | undefined {
  if (!(cause instanceof ApiError) || cause.code !== 'offline') return undefined
  return 'The host cannot be reached. Check that it is running and that you are on its network, then try again.'
}
