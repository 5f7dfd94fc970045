import { ServerResponse, type IncomingMessage } from 'node:http'
import type { Context, Middleware } from 'koa'
import { AppError } from '../../core/errors'
import { servingOf } from './serving'

/** Answers a GET of the API within the request for a page. Undefined where the call is refused. */
export type AskWithin = (ctx: Context, address: string) => Promise<string | undefined>

/**
 * Lets a page bring along the replies that its scripts would ask for next. `identify` and `handle`
 * see a request of the same client, so that each call is as allowed as it is alone. A page holds
 * one place in the queue of heavy replies, for all of them. `isElsewhere`: another host answers.
 */
export const askWithin =
  (
    identify: Middleware,
    handle: Middleware,
    isElsewhere: (address: string) => boolean,
  ): AskWithin =>
  async (ctx, address) => {
    if (isElsewhere(address)) return undefined

    const request = Object.create(ctx.req, {
      method: { value: 'GET' },
      url: { value: address, writable: true },
    }) as IncomingMessage
    const inner = ctx.app.createContext(request, new ServerResponse(request)) as Context
    inner['serving'] = { ...servingOf(ctx), heavyReplies: undefined }
    inner.state['remote'] = ctx.state['remote'] as unknown

    try {
      await identify(inner, () => handle(inner, () => Promise.resolve()) as Promise<unknown>)
    } catch (cause) {
      // The app asks again, and shows why.
      if (cause instanceof AppError) return undefined
      throw cause
    }

    const { status, body } = inner
    const isText = typeof body === 'string' || Buffer.isBuffer(body)
    return status === 200 && isText ? body.toString() : undefined
  }
