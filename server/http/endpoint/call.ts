import type { Context } from 'koa'
import type { Actor } from '../../access/actor'
import { AppError } from '../../core/errors'

/** What `identify` learns about a request, kept on `ctx.state`. */
export interface Caller {
  actor: Actor
  /** The client's IP address: the peer's, or what a trusted proxy says. */
  address: string
  /** Tells one visitor from another for counting: the user id, else a hash of address and browser. */
  visitor: string
  /** Whose rate limits the request counts against: an API key, a user, or a visitor's address. */
  bucket: string
  /** Whether the session or key would be taken now: it may be ended while a request runs. True for visitors. */
  holds: () => boolean
  /** Whether the app window sent the request. */
  atWindow: boolean
}

/** The caller of a request that has passed `identify`. */
export const callerOf = (ctx: Context): Caller => ctx.state.caller as Caller

/** Throws when the session or the key of a request was ended while it ran: nothing more is done in its name. */
export function requireStillHeld(ctx: Context): void {
  const { actor, holds } = callerOf(ctx)
  if (holds()) return
  if (actor.kind === 'user' && actor.credential === 'api-key')
    throw new AppError('bad_api_key', 'That API key was revoked during this request')
  throw new AppError('sign_in_required', 'Your session ended during this request')
}
