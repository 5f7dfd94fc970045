import { scopeOf, type Endpoint } from '../contract'
import { AppError, forbidden } from '../core/errors'
import type { Actor, KeyGrant } from './actor'

interface Caller {
  actor: Actor
  /** Whether the app window sent the request. */
  atWindow: boolean
}

/**
 * Lets an actor into an endpoint, or throws. Answers as whom it acts there: a key that has no say in a public call acts
 * as a visitor. What is left to decide, the feature's policy decides.
 */
export function admit(endpoint: Endpoint, { actor, atWindow }: Caller): Actor {
  const { access } = endpoint
  const isThere = access === 'host' ? actor.kind === 'host' : access !== 'window' || atWindow
  if (!isThere) throw new AppError('not_found', 'This API call does not exist')
  if (access !== 'anyone' && actor.kind === 'visitor') {
    throw new AppError('sign_in_required', 'Sign in, or send an API key')
  }
  if (actor.kind !== 'user' || actor.credential === 'session') return actor
  if (access === 'session' || access === 'window') {
    throw new AppError('sign_in_required', 'Sign in with a browser: an API key cannot do this')
  }
  const refusal = refusalOf(endpoint, actor.key)
  if (refusal === undefined) return actor
  if (access === 'anyone') return { kind: 'visitor' }
  throw forbidden(refusal)
}

function refusalOf(endpoint: Endpoint, key: KeyGrant): string | undefined {
  const scope = scopeOf(endpoint)
  if (!key.scopes.includes(scope)) return `do this with an API key that lacks the scope "${scope}"`
  if (key.projectId !== null && endpoint.boundKeys !== true)
    return 'do this with an API key that is bound to one project'
  return undefined
}
