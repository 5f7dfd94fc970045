import type { Context, Middleware } from 'koa'
import RateLimiterMemory from 'rate-limiter-flexible/lib/RateLimiterMemory.js'
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js'
import { isForApps } from '../../access/actor'
import { api } from '../../contract'
import { AppError } from '../../core/errors'
import { SizedCache } from '../../core/sized-cache'
import { sha256Of } from '../../core/sha256'
import { endpoints, pathsOf } from '../endpoint/addresses'
import { callerOf } from '../endpoint/call'
import { parseMetadata } from '../receive/tus'

/*
 * Rate limits
 *
 * Three budgets per hour and caller: API requests, uploads, and appends of resumable uploads. The
 * first two are settings; appends have a multiple of the requests, because one 2 GB file takes
 * about 2,000 of them. The window is fixed: it starts at the caller's first call and ends an hour
 * later. Limits are read from the settings at each call, and points already taken stay taken.
 *
 * A caller is a session's user, an API key, or the network of a visitor (`Identity.bucket`). All
 * keys of an account share a second budget of KEYS_TOGETHER times one key, so that more keys do
 * not bring more requests.
 *
 * The first upload of a release takes an upload; later ones of the same release within an hour take
 * requests, so that a release with many files is one upload. A release counts as begun only after
 * its first upload has got its points: a refused one changes nothing.
 *
 * The middleware runs after the caller is identified and before a body is read, so a refused upload
 * is not received. Exempt are pages, downloads, the health probe, the app window, and the host
 * account while it manages the host. Counts are in memory and per process: a restart clears them.
 * See docs/decisions/0036-limit-networks-not-accounts.md.
 */

const HOUR_S = 3600
/** Limit for all keys of an account together, as a multiple of the limit of one key. */
const KEYS_TOGETHER = 5
/** A 2 GB file in 1 MB pieces is 2048 requests. */
const APPENDS_PER_REQUEST = 20

/** Allows `points` per key in a fixed window. */
export class RateLimit {
  readonly #limiter: RateLimiterMemory

  constructor(
    points: number,
    seconds: number,
    private readonly refusal: string,
  ) {
    this.#limiter = new RateLimiterMemory({ points, duration: seconds, keyPrefix: '' })
  }

  /** Can change at any time; points already taken stay taken. */
  get points(): number {
    return this.#limiter.points
  }

  set points(points: number) {
    this.#limiter.points = points
  }

  /** Takes one point. Throws `too_many_requests` with Retry-After without points left. */
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

  async giveBack(key: string): Promise<void> {
    await this.#limiter.reward(key)
  }
}

/**
 * Limits API requests and uploads per API key, user or address. Pages, downloads, the probe of the
 * host's health, the app window and the host account while it manages the host are exempt: the
 * pages of the host ask every second or two.
 */
export function rateLimit(
  limits: () => { uploads_per_hour: number; requests_per_hour: number },
): Middleware {
  const pair = (words: string) => ({
    own: new RateLimit(1, HOUR_S, `${words}; try again later`),
    ofKeys: new RateLimit(1, HOUR_S, `${words} with all keys of this account; try again later`),
  })

  const requests = pair('Too many requests in this hour')
  const uploads = pair('Too many uploads in this hour')
  const appends = pair('Too many requests in this hour')
  const pushes = new Pushes()

  const chooseLimit = (ctx: Context, isMore: boolean) => {
    const points = limits().requests_per_hour
    if (isUpload(ctx) && !isMore) return { limit: uploads, points: limits().uploads_per_hour }
    return isAppend(ctx)
      ? { limit: appends, points: points * APPENDS_PER_REQUEST }
      : { limit: requests, points }
  }

  return async (ctx, next) => {
    const caller = callerOf(ctx)
    if (caller.atWindow || caller.actor.kind === 'host' || isExempt(ctx)) {
      await next()
      return
    }

    const push = isUpload(ctx) ? nameRelease(ctx, caller.bucket) : undefined
    const { limit, points } = chooseLimit(ctx, push !== undefined && pushes.has(push))
    limit.own.points = points
    limit.ofKeys.points = points * KEYS_TOGETHER

    const state = await limit.own.take(caller.bucket)
    for (const [name, value] of Object.entries(rateLimitHeaders(points, state)))
      ctx.res.setHeader(name, value)

    const { actor } = caller
    if (actor.kind === 'user' && actor.credential === 'api-key' && !isForApps(actor.key))
      await limit.ofKeys.take(actor.userId)

    if (push !== undefined) pushes.note(push)
    await next()
  }
}

/**
 * Downloads and redirects to them, because one company behind NAT may run hundreds of updaters.
 * Also the health probe, because a balancer requests it every 2 seconds.
 */
const EXEMPT = pathsOf(
  endpoints.filter(
    ({ download, status, path }) =>
      download === true || status === 302 || path === api.host.health.path,
  ),
)

const isExempt = (ctx: Context) => ['GET', 'HEAD'].includes(ctx.method) && EXEMPT.test(ctx.path)

/**
 * A form, raw bytes, the start of a resumable upload, a file for a file request or a report, a
 * report, a picture, or a package to read again, which costs as much.
 */
const UPLOADS = new RegExp(
  '^(/api/(files/upload|uploads|files/[^/]+/facts|projects/[^/]+/pictures)|' +
    '/[ru]/[^/]+/(files|uploads)|/[pt]/[^/]+/reports)$',
)
const isUpload = (ctx: Context) =>
  (ctx.method === 'POST' && UPLOADS.test(ctx.path)) ||
  (ctx.method === 'PUT' && ctx.path.startsWith('/api/files/upload/'))

/** One resumable upload sends many of these. */
const isAppend = (ctx: Context) =>
  ['PATCH', 'HEAD'].includes(ctx.method) && /^\/(api|[ru]\/[^/]+)\/uploads\//.test(ctx.path)

/** Some 10,000 releases. */
const MOST_PUSHES_BYTES = 2 * 1024 * 1024

/**
 * The releases that got files in the last hour: the first upload counts as one, the others as
 * requests.
 */
class Pushes {
  /** Start of each, in ms. */
  readonly #begun = new SizedCache<string, number>(MOST_PUSHES_BYTES)

  has(release: string): boolean {
    const begun = this.#begun.get(release)
    return begun !== undefined && performance.now() - begun < HOUR_S * 1000
  }

  note(release: string): void {
    if (!this.has(release)) this.#begun.set(release, performance.now())
  }
}

/**
 * The caller and the release that an upload names before its bytes, as a digest; undefined: it
 * names none.
 */
function nameRelease(ctx: Context, bucket: string): string | undefined {
  const { version, project_id: id, project = id } = { ...ctx.query, ...metadataOf(ctx) }
  if (typeof version !== 'string' || version === '') return undefined
  return sha256Of(JSON.stringify([bucket, project, version]), 'base64url')
}

function metadataOf(ctx: Context): Record<string, string> {
  const header = ctx.get('upload-metadata')
  try {
    return header === '' ? {} : parseMetadata(header)
  } catch {
    // The route refuses it.
    return {}
  }
}

/** The fields of draft-polli-ratelimit-headers; reset in seconds. */
const rateLimitHeaders = (points: number, state: RateLimiterRes) => ({
  'RateLimit-Limit': String(points),
  'RateLimit-Remaining': String(Math.max(0, state.remainingPoints)),
  'RateLimit-Reset': String(seconds(state)),
})

const seconds = ({ msBeforeNext }: RateLimiterRes) => Math.ceil(msBeforeNext / 1000)

/** More than one person causes: a page takes about ten calls. */
const MANY_PER_SECOND = 50

/**
 * Counts the calls of this second and the last one, so that work which can wait leaves the
 * processor to them.
 */
export class CallRate {
  #second = 0
  #calls = 0
  #before = 0

  /** `now` is in ms. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  readonly count: Middleware = (_ctx, next) => {
    this.#roll()
    this.#calls++
    return next()
  }

  /** Whether calls are more frequent than one person's. */
  get isHigh(): boolean {
    this.#roll()
    return Math.max(this.#before, this.#calls) >= MANY_PER_SECOND
  }

  #roll(): void {
    const second = Math.floor(this.now() / 1000)
    if (second === this.#second) return
    this.#before = second === this.#second + 1 ? this.#calls : 0
    this.#calls = 0
    this.#second = second
  }
}
