import { admit } from '../../server/access/admit'
import { api, errorStatus, type Api, type Endpoint } from '../../server/contract'
import { AppError } from '../../server/core/errors'
import { rules, type Call } from './rules'
import { actorNames, actors, thingsOfAlice, type ActorName } from './sample'

export const calls = Object.keys(rules) as Call[]

export function endpointOf(call: Call): Endpoint {
  const [feature, action] = call.split('.') as [keyof Api, string]
  const endpoint = (api[feature] as Record<string, Endpoint>)[action]
  if (!endpoint) throw new Error(`The contract has no ${call}`)
  return endpoint
}

export function answersTo(call: Call, isPublic: boolean): Record<ActorName, number> {
  const entries = actorNames.map((name) => [name, answer(call, name, isPublic)] as const)
  return Object.fromEntries(entries) as Record<ActorName, number>
}

function answer(call: Call, name: ActorName, isPublic: boolean): number {
  const endpoint = endpointOf(call)
  const actor = actors[name]
  if (actor === 'refused') return errorStatus.bad_api_key
  try {
    rules[call](admit(endpoint, { actor, atWindow: actor.kind === 'host' }), thingsOfAlice(isPublic))
    return endpoint.status ?? 200
  } catch (cause) {
    if (cause instanceof AppError) return cause.status
    throw cause
  }
}
