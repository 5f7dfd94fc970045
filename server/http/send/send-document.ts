import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { preconditions } from './preconditions'
import { callerOf } from '../endpoint/call'
import { servingOf } from '../endpoint/serving'

/**
 * Sends something small that the host made, with a strong ETag (RFC 9110 §8.8.3), so that asking again is cheap.
 * `modifiedAt`: when its content last changed, for clients that know no ETag, such as apt.
 */
export function sendDocument(ctx: Context, type: string, content: string | Buffer, modifiedAt?: Date): void {
  const etag = createHash('sha256').update(content).digest('base64url')
  // No cache may keep what came through a tester link, which can end.
  const keeping = callerOf(ctx).actor.kind === 'tester' ? 'private, no-store' : 'no-cache'
  ctx.set({ ETag: `"${etag}"`, 'Cache-Control': keeping })
  if (modifiedAt) ctx.set('Last-Modified', modifiedAt.toUTCString())
  const modified = modifiedAt ? Math.floor(modifiedAt.getTime() / 1000) : Infinity
  ctx.status = 200
  // Not `ctx.fresh`, which sends everything to clients that want an answer of the host and not of a cache.
  if (preconditions(ctx.req.headers, { etag: `"${etag}"`, modified }) === 'not-modified') {
    ctx.status = 304
    return
  }
  ctx.type = type
  ctx.body = content
  // A client that stops reading is cut: its reply is held in memory. Node resets this with the next request.
  ctx.req.socket.setTimeout(servingOf(ctx).patience.unreadMs)
}
