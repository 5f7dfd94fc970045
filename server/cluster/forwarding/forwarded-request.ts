import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { RequestOptions } from 'node:https'
import type { Context } from 'koa'
import { AppError, ConnectionLost } from '../../core/errors'
import {
  ACCOUNT_LIMITS,
  LINGER_HEADER,
  lingerAfterReply,
  STRANGER_LIMITS,
} from '../../http/listen/linger'
import { usualPatience } from '../../http/listen/patience'
import { resetWire } from '../../http/listen/peer'
import { isConfidential, remoteOf } from '../../http/pipeline/remote'
import { continueBody, pumpBody } from '../../http/receive/pump-body'
import { requestPrimary, type PrimaryRequest } from './request-primary'
import { hasBody, replyHeaders, requestHeaders } from './forwarded-headers'
import { encodeClient, NOT_PRIMARY_HEADER } from './internal-protocol'

const LOOK_EVERY_MS = 500
/** How long a primary that another has replaced may take to begin its reply, in looks. */
const LOOKS_AFTER = 10
/** `Retry-After` of a refused request, in seconds. */
export const RETRY_S = 2
const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

interface Choices {
  /** Whether another host is the primary by now. */
  isReplaced: () => boolean
  /** All of it, if the client has sent it already. */
  body: Buffer | undefined
}

/** One try to pass a request on to the primary, and its reply back. */
export class ForwardedRequest {
  readonly #request: PrimaryRequest
  #body: Promise<void> | undefined

  /** `to`: the place and the agent. */
  constructor(
    private readonly ctx: Context,
    to: RequestOptions,
    private readonly choices: Choices,
  ) {
    const client = encodeClient({ ...remoteOf(ctx), isConfidential: isConfidential(ctx) })
    const { method, originalUrl: path } = ctx

    // Silent clients are cut after this time, too.
    this.#request = requestPrimary({
      ...to,
      method,
      path,
      headers: requestHeaders(ctx.req, client),
      timeout: usualPatience.idleMs,
    })
  }

  /**
   * Returns undefined when the reply has ended, and the reason if the primary surely did nothing.
   * Throws AppError when it may have done something and did not answer, and ConnectionLost when the
   * reply or the client ended early.
   */
  async run(): Promise<Error | undefined> {
    const { sent } = this.#request
    const { res } = this.ctx
    const leave = () => sent.destroy(new ConnectionLost())
    res.once('close', leave)

    try {
      const reply = await this.#ask()
      if (reply.headers[NOT_PRIMARY_HEADER] === undefined) await this.#relay(reply)
      else return new Error('It is not the primary')
      return undefined
    } catch (cause) {
      sent.destroy()
      return this.#fail(cause as Error)
    } finally {
      res.off('close', leave)
      await this.#end()
    }
  }

  /**
   * Sends the request, and the body once the primary asks for it. Returns the reply when it begins.
   */
  async #ask(): Promise<IncomingMessage> {
    const { sent, reply } = this.#request
    let looks = 0
    const looking = setInterval(() => {
      if (this.choices.isReplaced() && ++looks > LOOKS_AFTER)
        sent.destroy(new Error('Another host has replaced it'))
    }, LOOK_EVERY_MS)

    sent.once('continue', () => this.#sendBody())
    // `flushHeaders` would write headers as UTF-8.
    if (hasBody(this.ctx.req)) sent.write('', 'latin1')
    else sent.end()
    return reply.finally(() => clearInterval(looking))
  }

  #sendBody(): void {
    const { sent } = this.#request
    const { body } = this.choices
    if (body) return void sent.end(body)
    continueBody(this.ctx)
    this.#body = pumpBody(this.ctx.req, sent, { ownsChunks: true }).then(
      () => void sent.end(),
      (cause: unknown) => void sent.destroy(cause as Error),
    )
  }

  /**
   * The headers of the primary replace all that this host has set: it has run the same pipeline.
   */
  async #relay(reply: IncomingMessage): Promise<void> {
    const { ctx } = this
    const { req, res } = ctx
    ctx.respond = false
    for (const name of res.getHeaderNames()) res.removeHeader(name)

    // The rest of the body may be 2 GB.
    const isLast = hasBody(req) && !req.complete && reply.headers.connection === 'close'
    const headers = isLast ? [...replyHeaders(reply), 'Connection', 'close'] : replyHeaders(reply)
    res.writeHead(reply.statusCode ?? 500, reply.statusMessage, headers)
    // A short reply leaves together with its headers, those of an event stream before its first
    // event.
    setImmediate(() => res.writable && res.write('', 'latin1'))

    const ended = once(reply, 'end')
    const cut = once(reply, 'close').then(() => {
      if (!reply.readableEnded) throw new ConnectionLost()
    })
    reply.pipe(res, { end: false })
    await Promise.race([ended, cut])
    await this.#end()

    if (isLast)
      lingerAfterReply(
        req,
        reply.headers[LINGER_HEADER] === undefined ? STRANGER_LIMITS : ACCOUNT_LIMITS,
      )
    res.end()
    if (!res.closed) await once(res, 'close')
  }

  /** Ends a request whose body the primary does not read to its end. */
  async #end(): Promise<void> {
    const { sent } = this.#request
    if (!sent.writableFinished) sent.destroy(new ConnectionLost())
    await this.#body
  }

  #fail(cause: Error): Error {
    const { ctx } = this
    if (ctx.res.headersSent) {
      // Half a reply must not look like a whole one.
      resetWire(ctx.req.socket)
      throw new ConnectionLost()
    }
    if (ctx.req.socket.destroyed) throw new ConnectionLost()
    if (!this.#request.isSent() || (SAFE.has(ctx.method) && !hasBody(ctx.req))) return cause
    throw noAnswer()
  }
}

const noAnswer = () =>
  new AppError(
    'busy',
    'The host that makes changes stopped before it answered. See whether your change was made ' +
      'before you try again',
    undefined,
    { 'Retry-After': String(RETRY_S) },
  )
