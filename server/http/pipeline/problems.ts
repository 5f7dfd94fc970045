import { randomBytes } from 'node:crypto'
import type Koa from 'koa'
import type { Context, Middleware } from 'koa'
import type { ErrorCode } from '../../contract'
import { AppError, ConnectionLost, DATABASE_FULL, diskFull, retryLater } from '../../core/errors'
import type { Log } from '../../core/logging/log'
import { isUnreadable } from '../../data/copy-files'
import type { Caller } from '../endpoint/call'
import { replyJson } from '../endpoint/reply-json'
import { ERROR_PAGE, errorPage, isNavigation } from '../pages/error-page'
import { ACCOUNT_LIMITS, LINGER_HEADER, lingerAfterReply, STRANGER_LIMITS } from '../listen/linger'
import { describeRegistryError } from './registries'
import { remoteOf } from './remote'

/** Refusals of an upload for want of room. */
const NO_ROOM = new Set<ErrorCode>(['quota_exceeded', 'too_many_records', 'too_large', 'disk_full'])

/** Retry-After while the bucket does not answer, in seconds. */
const BUCKET_RETRY_S = 5

const NOT_SAVED = 'The host cannot save changes right now; nothing was changed'

/**
 * Turns every exception into a response: a page for a browser that opens the address, else JSON.
 * `whyOf` finds the cause of a disk failure.
 */
export function problems(log: Log, whyOf: (cause: unknown) => Promise<unknown>): Middleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (thrown) {
      const cause = await whyOf(thrown)
      if (ctx.headerSent || !ctx.writable) return abandon(ctx, cause, log)
      answer(ctx, asAppError(cause, log))
    }
  }
}

/** Logs every reply without query, body, headers and addresses, which may be secret or private. */
export function requestLog(log: Log): Middleware {
  return ({ method, path, res }, next) => {
    const begun = performance.now()
    res.once('close', () => {
      const ms = Math.round(performance.now() - begun)
      log.debug(
        { method, path, status: res.statusCode, whole: res.writableFinished, ms },
        'answered',
      )
    })

    return next()
  }
}

/**
 * Logs what `problems` does not see, to which Koa replies with 500: errors before it, and in
 * sending a reply.
 */
export function logOthers(app: Koa, log: Log): void {
  app.on('error', (err: Error & { headerSent?: boolean }) => {
    // Koa reports clients that disconnect, too.
    if (err.headerSent !== true) log.error({ err }, 'error outside the pipeline')
  })
}

function answer(ctx: Context, error: AppError): void {
  ctx.status = error.status
  ctx.set(error.headers)
  ctx.set('Cache-Control', 'no-store')
  ctx.vary('Accept')

  if (isNavigation(ctx.req.headers)) {
    // The error may be about a download.
    ctx.remove('Content-Disposition')
    ctx.set(ERROR_PAGE)
    ctx.body = errorPage(error)
  } else replyJson(ctx, describeRegistryError(ctx, error) ?? error.toProblem())

  if (!bodyIsUnread(ctx)) return
  // Up to 2 GB of the body may be unread.
  ctx.set('Connection', 'close')

  const isAccount = NO_ROOM.has(error.code) && isSignedIn(ctx)
  if (isAccount && remoteOf(ctx).isPassedOn) ctx.set(LINGER_HEADER, '1')
  lingerAfterReply(ctx.req, isAccount ? ACCOUNT_LIMITS : STRANGER_LIMITS)
}

/** False before the caller is identified. */
const isSignedIn = (ctx: Context) =>
  ((ctx.state.caller as Caller | undefined)?.actor.kind ?? 'visitor') !== 'visitor'

const bodyIsUnread = (ctx: Context) => {
  const declared = ctx.get('transfer-encoding') !== '' || Number(ctx.get('content-length') || 0) > 0
  return declared && !ctx.req.complete && !ctx.req.destroyed
}

/** Ends the connection: the response has begun, or the client has disconnected. */
function abandon(ctx: Context, cause: unknown, log: Log): void {
  ctx.respond = false
  const isTheirs = ctx.req.destroyed || cause instanceof ConnectionLost || cause instanceof AppError
  if (!isTheirs) log.error({ err: cause, path: ctx.path }, 'response cut short')
  ctx.res.destroy()
}

/** Returns an error for clients: AppError unchanged, others translated. */
export const asAppError = (cause: unknown, log: Pick<Log, 'warn' | 'error'>): AppError =>
  cause instanceof AppError ? cause : translate(cause, log)

/** Maps expected foreign errors. All others are bugs. */
function translate(cause: unknown, log: Pick<Log, 'warn' | 'error'>): AppError {
  const { code, status, name } = cause as { code?: unknown; status?: number; name?: string }

  if (code === 'ENOSPC' || code === 'EDQUOT') return diskFull()
  if (code === DATABASE_FULL) return diskFull('The disk of this host’s database')
  if (name === 'BucketError') return bucketAway(cause, log)
  if (name === 'FolderLostError')
    return new AppError('read_only', `${(cause as Error).message}; nothing was changed`)
  if (name === 'LibraryReadOnlyError') return new AppError('read_only', NOT_SAVED)

  if (code === 'EROFS' || (code === 'EIO' && !isUnreadable(cause))) return diskFails(cause, log)
  if (status === 413)
    return new AppError('too_large', 'The request is larger than the host accepts')
  if (status === 400) return new AppError('invalid_input', 'The request could not be read')

  const requestId = randomBytes(6).toString('hex')
  log.error({ err: cause, requestId }, 'unexpected error')
  return new AppError(
    'internal',
    `Something went wrong on the host (request ${requestId})`,
    undefined,
    { 'X-Request-Id': requestId },
  )
}

/**
 * The disk is read-only or fails. The reply says that nothing was saved; the log has the reason.
 */
function diskFails(cause: unknown, log: Pick<Log, 'error'>): AppError {
  log.error({ err: cause }, 'the disk of the data folder refused a request')
  return new AppError('read_only', NOT_SAVED)
}

/** Error of the bucket with the builds. */
function bucketAway(cause: unknown, log: Pick<Log, 'warn'>): AppError {
  log.warn({ err: cause }, 'the bucket with the builds failed')
  if ((cause as { kind?: string }).kind === 'full')
    return new AppError('disk_full', 'The bucket of this host is full, so nothing was saved')
  const words =
    'The bucket with the builds of this host does not answer as it should. Try again soon'
  return retryLater('busy', words, BUCKET_RETRY_S)
}
