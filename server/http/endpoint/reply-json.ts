import type { Context } from 'koa'
import type { Endpoint } from '../../contract'
import { checkReply } from './check-reply'
import { servingOf } from './serving'

/** Answers with JSON. Serializes here because Koa's check for a Fetch API Response loads all of undici. */
export function replyJson(ctx: Context, body: object): void {
  ctx.set('Content-Type', 'application/json; charset=utf-8')
  ctx.body = JSON.stringify(body)
}

type Described = Pick<Endpoint, 'method' | 'path' | 'reply'>

/** Answers a call of the contract. */
export function replyToCall(ctx: Context, { method, path, reply: schema }: Described, reply: object): void {
  if (servingOf(ctx).checkReplies) checkReply(`${method} ${path}`, schema, reply)
  replyBytes(ctx, Buffer.from(JSON.stringify({ success: true, ...reply })))
}

/** Answers with encoded JSON. Cuts a client that stops reading: its reply is held in memory. */
export function replyBytes(ctx: Context, bytes: Buffer): void {
  ctx.set('Content-Type', 'application/json; charset=utf-8')
  ctx.body = bytes
  // Node resets this with the next request on the connection.
  ctx.req.socket.setTimeout(servingOf(ctx).patience.unreadMs)
}
