import type { Context } from 'koa'
import type { Endpoint } from '../../contract'
import { checkReply } from './check-reply'
import { servingOf } from './serving'

/** A short text leaves together with the headers; a long one would be copied with them. */
const LONG = 16 * 1024

/** Answers with JSON. Serializes here because Koa's check for a Fetch API Response loads all of undici. */
export function replyJson(ctx: Context, body: object): void {
  const text = JSON.stringify(body)
  replyBytes(ctx, text.length > LONG ? Buffer.from(text) : text)
}

/** Answers with JSON that is ready to send. */
export function replyBytes(ctx: Context, bytes: Buffer | string): void {
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
  ctx.body = bytes
}

type Described = Pick<Endpoint, 'method' | 'path' | 'reply'>

/** Answers a call of the contract. Cuts a client that stops reading: its reply is held in memory. */
export function replyToCall(ctx: Context, { method, path, reply: schema }: Described, reply: object): void {
  const { checkReplies, patience } = servingOf(ctx)
  if (checkReplies) checkReply(`${method} ${path}`, schema, reply)
  replyJson(ctx, { success: true, ...reply })
  // Node resets this with the next request on the connection.
  ctx.req.socket.setTimeout(patience.unreadMs)
}
