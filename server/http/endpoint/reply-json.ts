import type { Context } from 'koa'
import type { Endpoint } from '../../contract'
import { checkReply } from './check-reply'
import { servingOf } from './serving'

/** A short text leaves together with the headers; a long one would be copied with them. */
const LONG = 16 * 1024

/**
 * Answers with JSON. Serializes here because Koa's check for a Fetch API Response loads all of
 * undici.
 */
export function replyJson(ctx: Context, body: object): void {
  const text = JSON.stringify(body)
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
  ctx.body = text.length > LONG ? Buffer.from(text) : text
}

type Described = Pick<Endpoint, 'method' | 'path' | 'reply'>

/** Answers a call of the contract. */
export function replyToCall(
  ctx: Context,
  { method, path, reply: schema }: Described,
  reply: object,
): void {
  if (servingOf(ctx).checkReplies) checkReply(`${method} ${path}`, schema, reply)
  replyJson(ctx, { success: true, ...reply })
  requireReading(ctx)
}

/** Answers with the bytes of an earlier reply to this call. */
export function replyAgain(ctx: Context, bytes: Buffer): void {
  ctx.res.setHeader('Content-Type', 'application/json; charset=utf-8')
  ctx.body = bytes
  requireReading(ctx)
}

/**
 * Cuts a client that stops reading: its reply is held in memory. Node resets this with the next
 * request.
 */
const requireReading = (ctx: Context) => ctx.req.socket.setTimeout(servingOf(ctx).patience.unreadMs)
