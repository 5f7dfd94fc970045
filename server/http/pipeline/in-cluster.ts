import type { Context, Middleware } from 'koa'
import { api, type Endpoint } from '../../contract'
import { endsWithin } from '../../core/deadline'
import { errorCode } from '../../core/durable-file'
import { AppError, READER } from '../../core/errors'
import { endpoints, pathsOf } from '../endpoint/addresses'

/** How long a request waits for the engine of its cluster, in ms. */
const PATIENCE_MS = 4000
const RETRY_S = 2

/**
 * Answers only once this host knows all that was acknowledged at any host before the request, so that a sign-out or a
 * file made private counts for the next request, wherever it arrives. Where nobody can tell, nothing is served, public or
 * not. `member`: the office of the writer, or a reader.
 */
export function requireFresh(member: { fresh: () => Promise<void> }): Middleware {
  return async (_ctx, next): Promise<void> => {
    const isFresh = await endsWithin(PATIENCE_MS, member.fresh()).catch(() => false)
    if (!isFresh) throw engineAway()
    await next()
  }
}

/** For requests in a cluster while PostgreSQL does not answer. */
export const engineAway = (): AppError =>
  new AppError('busy', 'The database of this host does not answer, so nothing was changed. Try again soon', undefined, {
    'Retry-After': String(RETRY_S),
  })

/** What a request needs of the writer. */
export interface WriterAccess {
  /** Streams the request to the writer, and its reply to the client. */
  pass: (ctx: Context) => Promise<void>
}

/** Whether only the writer can reply, from its memory. Its Host page asks at the public address for its proof. */
const isOfWriter = ({ access, events, path }: Endpoint): boolean =>
  access === 'host' || access === 'window' || events === true || path === api.host.ping.path

/** With the proof by which the writer knows its own addresses: it may ask one that leads to any host. */
const OF_WRITER = pathsOf([api.host.ping, ...endpoints.filter(isOfWriter)])
/** Turns of uploads, and tests with a phone. */
const BELOW_OF_WRITER = /^\/(api\/uploads|reach)(\/|$)/

/**
 * Passes on to the writer what a reader cannot answer: all but GET and HEAD, what is in the writer's memory, what must save
 * something, and passwords, so that the writer counts all wrong ones.
 */
export function passOn(writer: WriterAccess): Middleware {
  return async (ctx, next): Promise<void> => {
    if (isForWriter(ctx)) return writer.pass(ctx)
    const before = ctx.res.getHeaders()
    try {
      await next()
    } catch (error) {
      if (errorCode(error) !== READER || ctx.headerSent) throw error
      for (const name of ctx.res.getHeaderNames()) ctx.res.removeHeader(name)
      for (const [name, value] of Object.entries(before)) if (value !== undefined) ctx.res.setHeader(name, value)
      await writer.pass(ctx)
    }
  }
}

const isForWriter = ({ method, path, headers: { authorization = '' } }: Context): boolean =>
  !['GET', 'HEAD'].includes(method) ||
  OF_WRITER.test(path) ||
  BELOW_OF_WRITER.test(path) ||
  /^basic\s/i.test(authorization)
