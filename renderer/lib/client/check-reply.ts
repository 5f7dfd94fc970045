import type { Api, Endpoint } from '../../../server/contract'
import { calls, type Call } from '../../../server/contract/calls'
import { ApiError } from './api-client'

let endpoints: ReadonlyMap<Call, Endpoint> | undefined

/**
 * Loads the schemas. Until then replies go unchecked: the host that sent the page has just sent its
 * own version.
 */
export async function loadSchemas(): Promise<void> {
  const { api } = await import('../../../server/contract')
  endpoints = new Map(
    Object.entries(api).flatMap(([feature, actions]) =>
      Object.entries(actions as Record<string, Endpoint>).map(
        ([action, endpoint]) => [findCall(feature as keyof Api, action), endpoint] as const,
      ),
    ),
  )
}

const findCall = (feature: keyof Api, action: string) =>
  (calls[feature] as Record<string, Call>)[action] as Call

/**
 * Parses a reply. Throws if the host answers in another way than this page expects, as it may after
 * an update.
 */
export function checkReply(call: Call, reply: unknown): unknown {
  const result = endpoints?.get(call)?.reply.safeParse(reply)
  if (!result) return reply
  if (result.success) return result.data
  throw new ApiError(
    'internal',
    'The host answered in a way that this page does not know: load it again',
    200,
  )
}
