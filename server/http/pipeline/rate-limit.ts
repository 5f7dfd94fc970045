import type { Context, Middleware } from 'koa'
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js'
import { api, type Endpoint } from '../../contract'
import { AppError } from '../../core/errors'
import { callerOf } from '../endpoint/call'

const HOUR_S = 3600
/** A file of 2 GB in pieces of 1 MB is 2048 of them. */
const TURNS_PER_REQUEST = 20

/** A fixed window of `points` for each key. */
export class RateLimit {
  readonly #limiter: RateLimiterMemory

  constructor(
    points: number,
    seconds: number,
    private readonly refusal: string,
  ) {
    this.#limiter = new RateLimiterMemory({ points, duration: seconds })
  }

  /** May be changed at any time; what was taken stays taken. */
  get points(): number {
    return this.#limiter.points
  }

  set points(points: number) {
    this.#limiter.points = points
  }

  /** Takes one point. Throws `too_many_requests` with Retry-After when none is left. */
  async take(key: string): Promise<RateLimiterRes> {
    try {
      return await this.#limiter.consume(key)
    } catch (cause) {
      if (!(cause instanceof RateLimiterRes)) throw cause
      throw new AppError('too_many_requests', this.refusal, undefined, {
        ...rateLimitHeaders(this.points, cause),
        'Retry-After': String(seconds(cause)),
      })
    }
  }

  /** Gives back a point that `take` took. */
  async giveBack(key: string): Promise<void> {
    await this.#limiter.reward(key)
  }
}

/**
 * Limits API requests and uploads by API key, user or, for visitors, address. Pages and downloads are not limited, and
 * neither is the app window.
 */
export function rateLimit(limits: () => { uploadsPerHour: number; requestsPerHour: number }): Middleware {
  const requests = new RateLimit(limits().requestsPerHour, HOUR_S, 'Too many requests in this hour; try again later')
  const uploads = new RateLimit(limits().uploadsPerHour, HOUR_S, 'Too many uploads in this hour; try again later')
  const turns = new RateLimit(limits().requestsPerHour, HOUR_S, 'Too many requests in this hour; try again later')
  const limitOf = (ctx: Context) => {
    if (isUpload(ctx)) return { limit: uploads, points: limits().uploadsPerHour }
    const points = limits().requestsPerHour
    return isTurn(ctx) ? { limit: turns, points: points * TURNS_PER_REQUEST } : { limit: requests, points }
  }
  return async (ctx, next) => {
    const caller = callerOf(ctx)
    if (caller.atWindow || isDownload(ctx)) {
      await next()
      return
    }
    const { limit, points } = limitOf(ctx)
    limit.points = points
    const taken = await limit.take(caller.bucket)
    ctx.set(rateLimitHeaders(limit.points, taken))
    await next()
  }
}

const endpoints = Object.values<Record<string, Endpoint>>(api).flatMap((calls) => Object.values(calls))
/** The addresses that answer with bytes: an updater behind the router of an office asks as often as its people are many. */
const DOWNLOADS = endpoints
  .filter(({ download }) => download === true)
  .map(({ path }) => new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`))

const isDownload = (ctx: Context) =>
  ['GET', 'HEAD'].includes(ctx.method) && DOWNLOADS.some((address) => address.test(ctx.path))

/** As a form, as the bytes themselves, or the beginning of one in several turns. */
const isUpload = (ctx: Context) =>
  (ctx.method === 'POST' && ['/api/files/upload', '/api/uploads'].includes(ctx.path)) ||
  (ctx.method === 'PUT' && ctx.path.startsWith('/api/files/upload/'))

/** One upload takes many of these. */
const isTurn = (ctx: Context) => ['PATCH', 'HEAD'].includes(ctx.method) && ctx.path.startsWith('/api/uploads/')

/** The three fields of draft-polli-ratelimit-headers; the reset is in seconds. */
const rateLimitHeaders = (points: number, state: RateLimiterRes) => ({
  'RateLimit-Limit': String(points),
  'RateLimit-Remaining': String(Math.max(0, state.remainingPoints)),
  'RateLimit-Reset': String(seconds(state)),
})

const seconds = ({ msBeforeNext }: RateLimiterRes) => Math.ceil(msBeforeNext / 1000)
