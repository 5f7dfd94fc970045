import type { Context, Middleware } from 'koa'
import { HeavyReplies, type HeavyLimits } from './heavy-replies'
import { usualPatience, type Patience } from '../listen/listener'

/** What all endpoints of a server have in common. */
export interface Serving {
  patience: Pick<Patience, 'bodyMs' | 'unreadMs'>
  /** Whether each reply must be exactly what the contract says. */
  checkReplies: boolean
  /** Undefined: heavy replies are not limited. */
  heavyReplies: HeavyReplies | undefined
}

export interface ServingChoices {
  /** False turns all rate limits off, for load tests. */
  rateLimits?: boolean
  /** How many heavy replies an address may have; fewer for tests. */
  heavyReplies?: HeavyLimits
  /** How long to wait for clients; shorter for tests. */
  patience?: Partial<Patience>
  /** Whether each reply must be exactly what the contract says, as in tests and `npm run dev`. */
  checkReplies?: boolean
}

/** How a server of these choices serves. */
export const servingFrom = ({ patience, checkReplies = false, heavyReplies, rateLimits }: ServingChoices): Serving => ({
  patience: { ...usualPatience, ...patience },
  checkReplies,
  heavyReplies: rateLimits === false ? undefined : new HeavyReplies(heavyReplies),
})

/** Notes on every request how it is served. */
export const serving = (common: Serving): Middleware => {
  return (ctx, next) => {
    ctx.state.serving = common
    return next()
  }
}

/** How a request is served that has passed `serving`. */
export const servingOf = (ctx: Context): Serving => ctx.state.serving as Serving
