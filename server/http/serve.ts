import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { z } from 'zod'
import { admit } from '../access/admit'
import { travelsInBody, type Endpoint } from '../contract'
import { AppError } from '../errors'
import { callerOf, type Caller } from './call'
import { readJson } from './read-json'

/** One request of an endpoint, after access and input have been checked. */
export interface Call<Input> extends Caller {
  input: Input
  ctx: Context
}

type Handler<In extends z.ZodObject, Result> = (call: Call<z.output<In>>) => Result | Promise<Result>

/** Serves one JSON endpoint: access, input, handler, reply. `around` wraps the handler (sessions do). */
export function serve<In extends z.ZodObject, Out extends z.ZodObject>(
  router: Router,
  endpoint: Endpoint<In, Out>,
  handler: Handler<In, z.input<Out>>,
  ...around: Middleware[]
): void {
  route(router, endpoint, around, async (ctx) => {
    const sent = travelsInBody(endpoint) ? await readJson(ctx) : ctx.query
    const input = parseInput(endpoint.input, { ...sent, ...pathParams(ctx) })
    const reply = endpoint.reply.parse(await handler({ ...callerOf(ctx), input, ctx }))
    ctx.status = endpoint.status ?? 200
    ctx.body = { success: true, ...reply }
  })
}

/** Serves an endpoint whose handler writes the response or reads the body itself: downloads and uploads. */
export function serveRaw<In extends z.ZodObject>(
  router: Router,
  endpoint: Endpoint<In>,
  handler: (ctx: Context, caller: Caller, pathParams: Record<string, string>) => Promise<void>,
): void {
  route(router, endpoint, [], (ctx) => handler(ctx, callerOf(ctx), pathParams(ctx)))
}

/** Parses what the caller sent. Throws `invalid_input` that names the first wrong field. */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [issue] = result.error.issues
  const field = issue?.path.join('.')
  throw new AppError('invalid_input', describe(issue?.message, field), field === '' ? undefined : field)
}

function route(router: Router, endpoint: Endpoint, around: Middleware[], serveIt: (ctx: Context) => Promise<void>) {
  const methods = endpoint.method === 'GET' ? ['HEAD', 'GET'] : [endpoint.method]
  const admitting: Middleware = (ctx, next) => {
    const caller = callerOf(ctx)
    ctx.state.caller = { ...caller, actor: admit(endpoint, caller.actor) } satisfies Caller
    return next()
  }
  router.register(endpoint.path, methods, [admitting, ...around, serveIt])
}

/** Zod's own words for an absent or wrongly typed value do not name it; ours do. */
function describe(message: string | undefined, field: string | undefined): string {
  if (message === undefined) return 'The request could not be understood'
  return message.startsWith('Invalid input') && field ? `${field}: ${message}` : message
}

const pathParams = (ctx: Context) => (ctx.params ?? {}) as Record<string, string>
