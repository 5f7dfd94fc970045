import type { Context, Middleware } from 'koa'
import type { Patience } from './listener'

/** What all endpoints of a server have in common. */
interface Serving {
  patience: Pick<Patience, 'bodyMs'>
}

/** Notes on every request how it is served. */
export const serving = (common: Serving): Middleware => {
  return (ctx, next) => {
    ctx.state.serving = common
    return next()
  }
}

/** How a request is served that has passed `serving`. */
export const servingOf = (ctx: Context): Serving => ctx.state.serving as Serving
