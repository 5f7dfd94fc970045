import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { z } from 'zod'
import { admit } from '../../access/admit'
import { travelsInBody, type Endpoint } from '../../contract'
import { AppError } from '../../core/errors'
import { callerOf, requireStillHeld, type Caller } from './call'
import { inputWords } from './input-words'
import { readJson } from './read-json'
import { replyAgain, replyToCall } from './reply-json'
import { servingOf } from './serving'

/** One request of an endpoint after access and input checks. */
export interface Call<Input> extends Caller {
  input: Input
  ctx: Context
}

type Handler<In extends z.ZodObject, Result> = (
  call: Call<z.output<In>>,
) => Result | Promise<Result>

/**
 * Serves one JSON endpoint: access, input, handler, reply. `around` wraps the handler (for
 * sessions).
 */
export function serve<In extends z.ZodObject, Out extends z.ZodObject>(
  router: Router,
  endpoint: Endpoint<In, Out>,
  handler: Handler<In, z.input<Out>>,
  around?: Middleware,
): void {
  const isInBody = travelsInBody(endpoint)

  const serveIt = async (ctx: Context) => {
    const sent = isInBody ? await readJson(ctx) : ctx.querystring === '' ? {} : ctx.query
    const input = parseInput(endpoint.input, { ...sent, ...pathParams(ctx) })
    // A body can take half a minute to arrive, and its session or key end meanwhile.
    if (isInBody && endpoint.access !== 'anyone') requireStillHeld(ctx)

    const reply = await handler({ ...callerOf(ctx), input, ctx })
    ctx.status = endpoint.status ?? 200
    replyToCall(ctx, endpoint, reply)
  }

  route(
    router,
    endpoint,
    around ? (ctx) => around(ctx, () => serveIt(ctx)) as Promise<unknown> : serveIt,
  )
}

/** Shared replies skip the queue of heavy replies, as they cost nothing. */
const serveShared =
  (serveIt: Serve): Serve =>
  (ctx) => {
    const { actor, atWindow } = callerOf(ctx)
    const key = actor.kind === 'visitor' && !atWindow ? ctx.path + ctx.search : undefined
    return servingOf(ctx).sharedReplies.answer(
      ctx,
      key,
      (body) => replyAgain(ctx, body),
      () => serveIt(ctx),
    )
  }

/**
 * Serves an endpoint whose handler reads the body or writes the response itself: uploads and
 * downloads.
 */
export function serveRaw<In extends z.ZodObject>(
  router: Router,
  endpoint: Endpoint<In>,
  handler: (ctx: Context, caller: Caller, pathParams: Record<string, string>) => Promise<void>,
): void {
  route(router, endpoint, (ctx) => handler(ctx, callerOf(ctx), pathParams(ctx)))
}

/** Parses the input. Throws `invalid_input` naming the first wrong field. */
export function parseInput<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const result = schema.safeParse(value, { error: inputWords })
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new AppError(
    'invalid_input',
    issue?.message ?? 'The request is invalid',
    issue?.path.join('.') || undefined,
  )
}

/** Parses the fields of an upload. Accepts `project` for `project_id`: scripts use both. */
export function parseUpload<T extends z.ZodType>(
  schema: T,
  { project, ...fields }: Record<string, unknown>,
): z.output<T> {
  return parseInput(schema, project ? { ...fields, project_id: project } : fields)
}

function route(router: Router, endpoint: Endpoint, serveIt: Serve) {
  const limited = endpoint.heavy ? limitHeavy(serveIt) : serveIt
  const run = endpoint.sameForVisitors ? serveShared(limited) : limited

  router.register(endpoint.path, [endpoint.method], (ctx: Context) => {
    const caller = callerOf(ctx)
    const actor = admit(endpoint, caller)
    if (actor !== caller.actor) ctx.state.caller = { ...caller, actor } satisfies Caller

    // No cache may store API keys or private replies; downloads set their own. In a tab no reply
    // runs or loads anything.
    ctx.res.setHeader('Cache-Control', 'no-store')
    ctx.res.setHeader('Content-Security-Policy', "sandbox; default-src 'none'")

    return run(ctx)
  })
}

type Serve = (ctx: Context) => Promise<unknown>

function limitHeavy(serveIt: Serve): Serve {
  return async (ctx) => {
    const { address, atWindow } = callerOf(ctx)
    if (!atWindow) await servingOf(ctx).heavyReplies?.enter(address, ctx.res)
    return serveIt(ctx)
  }
}

const pathParams = (ctx: Context) => (ctx.params ?? {}) as Record<string, string>

/**
 * Runs the first route of a router that matches, as `router.routes()` does, but compares a request
 * only with the routes of its method and number of segments, then with those that end in `*name`:
 * no other pattern of the contract matches a slash. Each has one middleware.
 */
export function dispatch({ stack }: Router): Middleware {
  const routes = stack.flatMap((layer) => layer.methods.map((method) => ({ method, layer })))
  const open = routes.filter(isOpen)
  const closed = routes.filter((route) => !isOpen(route))
  const byShape = Map.groupBy(closed, ({ method, layer }) =>
    describeShape(method, String(layer.path)),
  )

  return (ctx: Context & { _matchedRoute?: unknown }, next) => {
    const { method, path } = ctx
    const { layer } =
      byShape.get(describeShape(method, path))?.find((route) => route.layer.match(path)) ??
      open.find((route) => route.method === method && route.layer.match(path)) ??
      {}

    if (!layer) return next()
    ctx.params = layer.paramNames.length > 0 ? layer.params(path, layer.captures(path)) : {}
    ctx._matchedRoute = layer.path
    return (layer.stack[0] as Middleware)(ctx, next) as Promise<unknown>
  }
}

const isOpen = ({ layer }: { layer: { path: string | RegExp } }) => String(layer.path).includes('*')

const describeShape = (method: string, path: string) => `${method} ${path.split('/').length}`
