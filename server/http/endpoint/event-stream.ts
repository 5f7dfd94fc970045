import type { Context } from 'koa'
import { AppError } from '../../core/errors'

/** Sends a comment after this silence, in ms, so that proxies do not cut an idle connection. */
const HEARTBEAT_MS = 15_000
const MAX_STREAMS = 20

const doNothing = (): void => undefined

/**
 * Server-sent events (WHATWG HTML §9.2) for all listeners. Drops events that a slow client cannot
 * take.
 */
export class EventStreams {
  readonly #open = new Set<{ write(text: string): void; end(): void }>()
  #beginning = 0
  #isClosed = false
  #follow = () => doNothing
  #unfollow = doNothing

  /** Calls `follow` with the first listener, and what it returns after the last one has left. */
  whileOpen(follow: () => () => void): void {
    this.#follow = follow
  }

  get count(): number {
    return this.#open.size
  }

  /**
   * Streams until the client disconnects, `close` is called, or `isAllowed` fails. Throws `busy`
   * when too many listen.
   */
  async answer(
    ctx: Context,
    isAllowed: () => boolean,
    first: () => Promise<string>,
  ): Promise<void> {
    if (this.#isClosed || this.#open.size + this.#beginning >= MAX_STREAMS) {
      throw new AppError('busy', 'Too many pages of this host are open; close some of them')
    }

    this.#beginning++
    try {
      this.#begin(ctx, isAllowed, await first())
    } finally {
      this.#beginning--
    }
  }

  send(text: string): void {
    for (const stream of this.#open) stream.write(text)
  }

  close(): void {
    this.#isClosed = true
    for (const stream of this.#open) stream.end()
  }

  #begin(ctx: Context, isAllowed: () => boolean, text: string): void {
    beginEvents(ctx)
    if (ctx.method === 'HEAD') return void ctx.res.end()
    ctx.res.write(text)
    this.#keep(ctx, isAllowed)
  }

  #keep({ res }: Context, isAllowed: () => boolean): void {
    const stream = {
      write: (text: string) => {
        if (!isAllowed()) res.end()
        else if (!res.writableNeedDrain) res.write(text)
      },
      end: () => res.end(),
    }

    const beating = setInterval(() => stream.write(': still here\n\n'), HEARTBEAT_MS).unref()
    if (this.#open.size === 0) this.#unfollow = this.#follow()
    this.#open.add(stream)
    res.once('close', () => {
      clearInterval(beating)
      this.#open.delete(stream)
      if (this.#open.size === 0) this.#unfollow()
    })
  }
}

/** Begins a reply of server-sent events, which its caller writes and ends. */
export function beginEvents(ctx: Context): void {
  ctx.respond = false
  ctx.status = 200
  ctx.set({
    'Content-Type': 'text/event-stream',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  })
}

/** Formats one server-sent event with a JSON value. */
export const event = (type: string, data: unknown): string =>
  `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
