import type { KoaBodyMiddlewareOptions } from 'koa-body'
import type { Context } from 'koa'

/**
 * Parses the body of a request into `ctx.request`. koa-body comes with the first body: it brings the tables of all
 * character sets along, and a host that only serves would hold them for nothing.
 */
export async function parseBody(ctx: Context, options: Partial<KoaBodyMiddlewareOptions>): Promise<void> {
  const { koaBody } = await import('koa-body')
  await koaBody(options)(ctx, () => Promise.resolve())
}
