import type { Context, Middleware } from 'koa'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../errors'
import { callerOf } from './call'

const HOUR_S = 3600

/** A fixed window of `points` for each key. */
export class RateLimit {
  readonly #limiter: RateLimiterMemory

  constructor(
    readonly points: number,
    seconds: number,
    private readonly refusal: string,
  ) {
    this.#limiter = new RateLimiterMemory({ points, duration: seconds })
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
export function rateLimit(limits: { uploadsPerHour: number; requestsPerHour: number }): Middleware {
  const requests = new RateLimit(limits.requestsPerHour, HOUR_S, 'Too many requests in this hour; try again later')
  const uploads = new RateLimit(limits.uploadsPerHour, HOUR_S, 'Too many uploads in this hour; try again later')
  return async (ctx, next) => {
    const caller = callerOf(ctx)
    if (caller.atWindow || ctx.path.endsWith('/download')) {
      await next()
      return
    }
    const limit = isUpload(ctx) ? uploads : requests
    const taken = await limit.take(caller.bucket)
    ctx.set(rateLimitHeaders(limit.points, taken))
    await next()
  }
}

const isUpload = (ctx: Context) => ctx.method === 'POST' && ctx.path === '/api/files/upload'

/** The three fields of draft-polli-ratelimit-headers; the reset is in seconds. */
const rateLimitHeaders = (points: number, state: RateLimiterRes) => ({
  'RateLimit-Limit': String(points),
  'RateLimit-Remaining': String(Math.max(0, state.remainingPoints)),
  'RateLimit-Reset': String(seconds(state)),
})

const seconds = ({ msBeforeNext }: RateLimiterRes) => Math.ceil(msBeforeNext / 1000)
