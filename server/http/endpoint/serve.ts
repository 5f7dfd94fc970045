import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { z } from 'zod'
import { admit } from '../../access/admit'
import { travelsInBody, type Endpoint } from '../../contract'
import { AppError } from '../../core/errors'
import { callerOf, type Caller } from './call'
import { inputWords } from './input-words'
import { readJson } from './read-json'
import { replyBytes, replyToCall } from './reply-json'
import { servingOf } from './serving'

/** One request of an endpoint after access and input checks. */
export interface Call<Input> extends Caller {
  input: Input
  ctx: Context
}

type Handler<In extends z.ZodObject, Result> = (call: Call<z.output<In>>) => Result | Promise<Result>

/** Serves one JSON endpoint: access, input, handler, reply. `around` wraps the handler (for sessions). */
export function serve<In extends z.ZodObject, Out extends z.ZodObject>(
  router: Router,
  endpoint: Endpoint<In, Out>,
  handler: Handler<In, z.input<Out>>,
  ...around: Middleware[]
): void {
  const first = endpoint.sameForVisitors ? [shareReply, ...around] : around
  route(router, endpoint, first, async (ctx) => {
    const sent = travelsInBody(endpoint) ? await readJson(ctx) : ctx.query
    const input = parseInput(endpoint.input, { ...sent, ...pathParams(ctx) })
    const reply = await handler({ ...callerOf(ctx), input, ctx })
    ctx.status = endpoint.status ?? 200
    replyToCall(ctx, endpoint, reply)
  })
}

/** Before the queue of heavy replies: what is shared costs nothing. */
const shareReply: Middleware = (ctx, next) => {
  const { actor, atWindow } = callerOf(ctx)
  const key = actor.kind === 'visitor' && !atWindow ? ctx.path + ctx.search : undefined
  return servingOf(ctx).sharedReplies.answer(ctx, key, (body) => replyBytes(ctx, body), next)
}

/** Serves an endpoint whose handler reads the body or writes the response itself: uploads and downloads. */
export function serveRaw<In extends z.ZodObject>(
  router: Router,
  endpoint: Endpoint<In>,
  handler: (ctx: Context, caller: Caller, pathParams: Record<string, string>) => Promise<void>,
): void {
  route(router, endpoint, [], (ctx) => handler(ctx, callerOf(ctx), pathParams(ctx)))
}

/** Parses the input. Throws `invalid_input` naming the first wrong field. */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { error: inputWords })
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new AppError('invalid_input', issue?.message ?? 'The request is invalid', issue?.path.join('.') || undefined)
}

/** Parses the fields of an upload. Accepts `project` for `project_id`: scripts use both. */
export function parseUpload<T extends z.ZodType>(
  schema: T,
  { project, ...fields }: Record<string, unknown>,
): z.output<T> {
  return parseInput(schema, project ? { ...fields, project_id: project } : fields)
}

function route(router: Router, endpoint: Endpoint, around: Middleware[], serveIt: (ctx: Context) => Promise<void>) {
  const methods = endpoint.method === 'GET' ? ['HEAD', 'GET'] : [endpoint.method]
  const admitting: Middleware = (ctx, next) => {
    const caller = callerOf(ctx)
    ctx.state.caller = { ...caller, actor: admit(endpoint, caller) } satisfies Caller
    // No cache may store API keys or private replies; downloads set their own. In a tab no reply runs or loads anything.
    ctx.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': "sandbox; default-src 'none'" })
    return next()
  }
  router.register(endpoint.path, methods, [admitting, ...around, endpoint.heavy ? inTurn(serveIt) : serveIt])
}

function inTurn(serveIt: (ctx: Context) => Promise<void>) {
  return async (ctx: Context) => {
    const { address, atWindow } = callerOf(ctx)
    if (!atWindow) await servingOf(ctx).heavyReplies?.enter(address, ctx.res)
    return serveIt(ctx)
  }
}

const pathParams = (ctx: Context) => (ctx.params ?? {}) as Record<string, string>
