import { AppError } from '../errors'

/**
 * Who is asking. `host` is a signed-in host account at the app window; `user` has proved an account by a session or
 * an API key; `visitor` has done neither.
 */
export type Actor =
  | { kind: 'visitor' }
  | { kind: 'user'; userId: string; credential: 'session' | 'api-key' }
  | { kind: 'host'; userId: string; credential: 'session' }

/** The actor's user id. Throws `sign_in_required` for a visitor. */
export function userIdOf(actor: Actor): string {
  if (actor.kind === 'visitor') throw new AppError('sign_in_required', 'Sign in, or send an API key')
  return actor.userId
}

/** Whether the actor is this user. */
export const isUser = (actor: Actor, userId: string): boolean => actor.kind !== 'visitor' && actor.userId === userId
