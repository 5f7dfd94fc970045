import type { Context } from 'koa'
import type { Actor } from '../access/actor'

/** What `identify` learns about a request, kept on `ctx.state`. */
export interface Caller {
  actor: Actor
  /** The peer's IP address. */
  address: string
  /** Tells one visitor from another for counting: the user id, else a hash of address and browser. */
  visitor: string
  /** Whose rate limits the request counts against: an API key, a user, or a visitor's address. */
  bucket: string
  /** Whether the app window sent the request. */
  atWindow: boolean
  /** Whether the request comes from this machine itself: its window, or loopback with no proxy between. */
  atMachine: boolean
}

/** The caller of a request that has passed `identify`. */
export const callerOf = (ctx: Context): Caller => ctx.state.caller as Caller
