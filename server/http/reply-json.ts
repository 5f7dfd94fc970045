import type { Context } from 'koa'

/**
 * Answers with JSON. Koa would make the text itself, but tells an object from the Response of the Fetch API first, and
 * asking for that loads all of undici, which nothing here uses.
 */
export function replyJson(ctx: Context, body: object): void {
  ctx.type = 'json'
  ctx.body = JSON.stringify(body)
}
