import type { Context, Middleware } from 'koa'
import { api, type Endpoint } from '../../contract'
import { errorCode } from '../../core/durable-file'
import { READ_ONLY_HOST } from '../../core/errors'
import { toNetwork } from '../../core/net/ip-address'
import { PostgresAwayError } from '../../data/postgres/lease-errors'
import { endpoints, pathsOf } from '../../http/endpoint/addresses'
import { readBytes } from '../../http/endpoint/read-bytes'
import { RateLimit } from '../../http/pipeline/rate-limit'
import { remoteOf } from '../../http/pipeline/remote'
import type { ForwardingProxy } from './forwarding-proxy'

const HOUR_S = 3600
const FORM = 'application/x-www-form-urlencoded'
/** What a device sends to a profile. */
const SIGNED = 'application/pkcs7-signature'
/** Limit for the body of a call that is no upload, in bytes; the primary has the same. */
const MOST_BODY = 256 * 1024

/**
 * Answers only after this host has applied all changes that any host acknowledged before the
 * request. So a sign-out, or a file made private, takes effect for the next request at any host. If
 * that cannot be checked, nothing is served, public or not. `member`: the lease of the primary, or
 * a replica.
 */
export function requireFresh(member: { fresh: () => Promise<void> }): Middleware {
  return async (_ctx, next): Promise<void> => {
    await member.fresh().catch((cause: unknown) => {
      throw new PostgresAwayError(cause)
    })
    await next()
  }
}

/** Checks of this host before it forwards a request. */
export interface ForwardingRules {
  /** Whether a client has neither a session nor an API key. */
  isVisitor: (ctx: Context) => boolean
  /** The changes and searches of a visitor in an hour; undefined: no limit. */
  perHour: () => number | undefined
}

/**
 * Whether only the primary can reply, from its memory. Its Host page requests its proof at the
 * public address.
 */
const isOfPrimary = ({ access, events, path }: Endpoint): boolean =>
  access === 'host' || access === 'window' || events === true || path === api.host.ping.path

/**
 * Includes the proof by which the primary recognizes its own addresses: one of them may lead to any
 * host.
 */
const OF_PRIMARY = pathsOf([api.host.ping, ...endpoints.filter(isOfPrimary)])
/** Appends of uploads, and tests with a phone. */
const BELOW_OF_PRIMARY = /^\/((api|u\/[^/]+)\/uploads|reach)(\/|$)/

/**
 * Forwards to the primary what a replica cannot answer: all methods but GET and HEAD, replies from
 * the primary's memory, requests that must save something, and passwords, so that the primary
 * counts all failures.
 */
export function forwardToPrimary(
  primary: Pick<ForwardingProxy, 'pass'>,
  { isVisitor, perHour }: ForwardingRules,
): Middleware {
  const limit = new RateLimit(1, HOUR_S, 'Too many requests in this hour; try again later')

  const pass = async (ctx: Context) => {
    const { address } = remoteOf(ctx)
    const sender = { address, isVisitor: isVisitor(ctx) }
    const points = perHour()

    if (sender.isVisitor && points !== undefined && !['GET', 'HEAD'].includes(ctx.method)) {
      limit.points = points
      await limit.take(toNetwork(address))
    }

    await primary.pass(ctx, { ...sender, body: await takeSmallBody(ctx) })
  }

  return async (ctx, next): Promise<void> => {
    if (isForPrimary(ctx)) return pass(ctx)

    const before = ctx.res.getHeaders()
    try {
      await next()
    } catch (error) {
      if (errorCode(error) !== READ_ONLY_HOST || ctx.headerSent) throw error
      for (const name of ctx.res.getHeaderNames()) ctx.res.removeHeader(name)
      for (const [name, value] of Object.entries(before))
        if (value !== undefined) ctx.res.setHeader(name, value)
      await pass(ctx)
    }
  }
}

/**
 * Reads the whole body of a call first, because a slow client would occupy a connection to the
 * primary. Returns undefined without a body, or for a file. Throws `too_large` and
 * `request_timeout`.
 */
async function takeSmallBody(ctx: Context): Promise<Buffer | undefined> {
  if (!ctx.is('json', FORM, SIGNED)) return undefined
  return readBytes(ctx, MOST_BODY)
}

const isForPrimary = ({ method, path, headers: { authorization = '' } }: Context): boolean =>
  !['GET', 'HEAD'].includes(method) ||
  OF_PRIMARY.test(path) ||
  BELOW_OF_PRIMARY.test(path) ||
  /^basic\s/i.test(authorization)
