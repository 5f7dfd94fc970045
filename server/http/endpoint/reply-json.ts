import type { Context } from 'koa'
import type { Endpoint } from '../../contract'
import { checkReply } from './check-reply'
import { servingOf } from '../pipeline/serving'

/**
 * Answers with JSON. Koa would make the text itself, but tells an object from the Response of the Fetch API first, and
 * asking for that loads all of undici, which nothing here uses.
 */
export function replyJson(ctx: Context, body: object): void {
  ctx.set('Content-Type', 'application/json; charset=utf-8')
  ctx.body = JSON.stringify(body)
}

type Described = Pick<Endpoint, 'method' | 'path' | 'reply'>

/** Answers a call of the contract. A client that reads nothing for a while is cut: its reply is held in memory. */
export function replyToCall(ctx: Context, { method, path, reply: schema }: Described, reply: object): void {
  const { checkReplies, patience } = servingOf(ctx)
  if (checkReplies) checkReply(`${method} ${path}`, schema, reply)
  replyJson(ctx, { success: true, ...reply })
  // Node sets it back when the next request comes on this connection.
  ctx.req.socket.setTimeout(patience.unreadMs)
}
