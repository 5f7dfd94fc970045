import type { Scope } from '../contract'
import { AppError } from '../core/errors'

/** The permissions of an API key. */
export interface KeyGrant {
  scopes: readonly Scope[]
  /** The project that the key is bound to; null: every project of its owner. */
  projectId: string | null
}

/**
 * The authenticated caller. `host`: the signed-in host account in the app window, or in a session from a manage link.
 * `user`: an account proved by a session or an API key. `visitor`: neither.
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

export const isUser = (actor: Actor, userId: string): boolean => actor.kind !== 'visitor' && actor.userId === userId

/** Whether the actor's key is bound to another project. */
export const isBoundElsewhere = (actor: Actor, projectId: string): boolean =>
  boundProject(actor) !== null && boundProject(actor) !== projectId

/** The project that the actor's key is bound to; null: not bound. */
export const boundProject = (actor: Actor): string | null =>
  actor.kind === 'user' && actor.credential === 'api-key' ? actor.key.projectId : null
