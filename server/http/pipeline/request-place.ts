import { AsyncLocalStorage } from 'node:async_hooks'
import type { Middleware } from 'koa'
import { accountOf } from '../../access/actor'
import { callerOf } from '../endpoint/call'

/** Who makes a request, and from where. */
interface RequestPlace {
  userId: string | undefined
  address: string
  userAgent: string
}

const places = new AsyncLocalStorage<RequestPlace>()

/** The place of the request that is running. Undefined: the host itself, or its command line. */
export const requestPlace = (): RequestPlace | undefined => places.getStore()

/** Keeps the place of a request for what follows from its changes. */
export const keepPlace: Middleware = (ctx, next) => {
  const { actor, address } = callerOf(ctx)
  const place = { userId: accountOf(actor), address, userAgent: ctx.get('user-agent') }
  return places.run(place, next)
}
