import type { Context } from 'koa'
import type { Actor } from '../../access/actor'
import { linkEnded } from '../../access/link-ended'
import { AppError } from '../../core/errors'

/** The caller of a request, set by `identify` on `ctx.state`. */
export interface Caller {
  actor: Actor
  /** Client IP address: the peer's, or the one a trusted proxy reports. */
  address: string
  /** Identifies a visitor for counting: the user id, else a hash of address and browser. */
  visitor: string
  /** Rate-limit key: an API key, a user, or a visitor's address. */
  bucket: string
  /**
   * Whether the session or key is still valid: it can end while a request runs. True for visitors.
   */
  holds: () => boolean
  atWindow: boolean
  /** A session may do what `asksAgain` marks. True for all that is no session. */
  isProved: (asksAgain: 'always' | 'with_factor') => boolean
  /**
   * The account of a session that still has to get a second factor. Until then it is a visitor,
   * except to calls with `beforeFactor`.
   */
  beforeFactor?: Actor
}

/** Returns the caller. Requires `identify` in the pipeline. */
export const callerOf = (ctx: Context): Caller => ctx.state.caller as Caller

/**
 * Throws when the session or key ended during the request, so that nothing more is done in its
 * name.
 */
export function requireStillHeld(ctx: Context): void {
  const { actor, holds } = callerOf(ctx)
  if (holds()) return
  if (actor.kind === 'sender') throw linkEnded()
  if (actor.kind === 'user' && actor.credential === 'api-key')
    throw new AppError('bad_api_key', 'That API key was revoked during this request')
  throw new AppError('sign_in_required', 'Your session ended during this request')
}
