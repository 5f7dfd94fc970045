import type { Scope } from '../contract'
import { AppError } from '../core/errors'

/** What an API key may do at most. */
export interface KeyGrant {
  scopes: readonly Scope[]
  /** The one project that the key is for; null: all that its owner has. */
  projectId: string | null
}

/**
 * Who is asking. `host` is a signed-in host account at the app window, or in a session that a manage link allows to; `user` has proved an account by a session or
 * an API key; `visitor` has done neither.
 */
export type Actor =
  | { kind: 'visitor' }
  | { kind: 'user'; userId: string; credential: 'session' }
  | { kind: 'user'; userId: string; credential: 'api-key'; key: KeyGrant }
  | { kind: 'host'; userId: string; credential: 'session' }

/** The actor's user id. Throws `sign_in_required` for a visitor. */
export function userIdOf(actor: Actor): string {
  if (actor.kind === 'visitor') throw new AppError('sign_in_required', 'Sign in, or send an API key')
  return actor.userId
}

/** Whether the actor is this user. */
export const isUser = (actor: Actor, userId: string): boolean => actor.kind !== 'visitor' && actor.userId === userId

/** Whether a key that is bound to another project stands between the actor and this one. */
export const isBoundElsewhere = (actor: Actor, projectId: string): boolean =>
  boundProject(actor) !== null && boundProject(actor) !== projectId

/** The one project that the actor's key is for; null: there is no such bound. */
export const boundProject = (actor: Actor): string | null =>
  actor.kind === 'user' && actor.credential === 'api-key' ? actor.key.projectId : null
