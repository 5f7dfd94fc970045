import type { Context } from 'koa'
import { sha256Of } from '../../core/sha256'
import { preconditions } from './preconditions'
import { callerOf } from '../endpoint/call'
import { servingOf } from '../endpoint/serving'

/**
 * Sends something small that the host made, with a strong ETag and a date (RFC 9110 §8.8), so that
 * asking again is cheap. `modifiedAt`: when its content last changed, where that is known over
 * restarts.
 */
export function sendDocument(
  ctx: Context,
  type: string,
  content: string | Buffer,
  modifiedAt?: Date,
): void {
  const etag = `"${sha256Of(content, 'base64url')}"`

  const modified = modifiedAt
    ? Math.floor(modifiedAt.getTime() / 1000)
    : servingOf(ctx).documentDates?.dateContent(ctx.host + ctx.path, etag)

  // No cache may keep what came through a link, which can end.
  const keeping = ['tester', 'sender'].includes(callerOf(ctx).actor.kind)
    ? 'private, no-store'
    : 'no-cache'
  ctx.set({ ETag: etag, 'Cache-Control': keeping })
  if (modified !== undefined) ctx.set('Last-Modified', new Date(modified * 1000).toUTCString())

  ctx.status = 200
  // Not `ctx.fresh`, which sends everything to clients that want an answer of the host and not of a
  // cache.
  if (preconditions(ctx.req.headers, { etag, modified: modified ?? Infinity }) === 'not-modified') {
    ctx.status = 304
    return
  }

  ctx.type = type
  ctx.body = content

  // A client that stops reading is cut: its reply is held in memory. Node resets this with the next
  // request.
  ctx.req.socket.setTimeout(servingOf(ctx).patience.unreadMs)
}
