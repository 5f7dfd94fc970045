import { scopeOf, type Endpoint } from '../contract'
import { AppError, forbidden } from '../core/errors'
import { accountOf, VISITOR, type Actor, type KeyGrant } from './actor'

interface Caller {
  actor: Actor
  atWindow: boolean
  isProved: (asksAgain: 'always' | 'with_factor') => boolean
  beforeFactor?: Actor
}

/**
 * Checks access to an endpoint. Returns the actor to use: a key without permission for a public
 * call acts as a visitor. The feature's policy checks the record. Throws AppError.
 */
export function admit(endpoint: Endpoint, caller: Caller): Actor {
  const { access, asksAgain } = endpoint
  const { atWindow, beforeFactor } = caller
  const actor = (endpoint.beforeFactor && beforeFactor) || caller.actor
  const isThere = access === 'host' ? actor.kind === 'host' : access !== 'window' || atWindow
  if (!isThere) throw new AppError('not_found', 'This API call does not exist')

  if (access !== 'anyone' && accountOf(actor) === undefined) {
    if (beforeFactor) throw factorRequired()
    throw new AppError('sign_in_required', 'Sign in, or send an API key')
  }

  if (asksAgain && 'credential' in actor && actor.credential === 'session')
    requireProof(caller.isProved(asksAgain))

  if (actor.kind !== 'user' || actor.credential === 'session') return actor
  if (access === 'session' || access === 'window') {
    throw new AppError('sign_in_required', 'Sign in with a browser: an API key cannot do this')
  }

  const refusal = findRefusal(endpoint, actor.key)
  if (refusal === undefined) return actor
  if (access === 'anyone') return VISITOR
  throw forbidden(refusal)
}

const factorRequired = () =>
  new AppError(
    'factor_required',
    'This host asks you for a second factor. Add one on the page of your account',
  )

/** Throws `proof_needed`. */
export function requireProof(isProved: boolean): void {
  if (isProved) return
  throw new AppError(
    'proof_needed',
    'This needs a recent proof of your identity. Try again and confirm that it is you',
  )
}

function findRefusal(endpoint: Endpoint, key: KeyGrant): string | undefined {
  const scope = scopeOf(endpoint)
  if (!key.scopes.includes(scope)) return `do this with an API key that lacks the scope "${scope}"`
  if (key.projectId !== null && endpoint.boundKeys !== true)
    return 'do this with an API key that is bound to one project'
  return undefined
}
