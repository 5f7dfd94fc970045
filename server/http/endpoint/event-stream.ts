import type { Context } from 'koa'
import { AppError } from '../../core/errors'

/** A comment after so much silence keeps the connection open through us and through proxies, in ms. */
const HEARTBEAT_MS = 15_000
/** So many pages at a time may listen. */
const MAX_STREAMS = 20

/** Server-sent events (WHATWG HTML §9.2) to those who listen; what a slow one could not take yet, it misses. */
export class EventStreams {
  readonly #open = new Set<{ write(text: string): void; end(): void }>()
  #beginning = 0
  #isClosed = false

  get count(): number {
    return this.#open.size
  }

  /**
   * Answers a request with a stream that stays open until the client leaves, until `close`, or until the caller may not
   * listen any more. Throws `busy` when too many listen.
   */
  async answer(ctx: Context, isAllowed: () => boolean, first: () => Promise<string>): Promise<void> {
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

  /** Sends the same text, made by `event`, to everybody. */
  send(text: string): void {
    for (const stream of this.#open) stream.write(text)
  }

  /** Ends all streams, and opens no more. */
  close(): void {
    this.#isClosed = true
    for (const stream of this.#open) stream.end()
  }

  #begin(ctx: Context, isAllowed: () => boolean, text: string): void {
    ctx.respond = false
    ctx.status = 200
    ctx.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
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
    this.#open.add(stream)
    res.once('close', () => {
      clearInterval(beating)
      this.#open.delete(stream)
    })
  }
}

/** One event, of a type and with a value that JSON can tell. */
export const event = (type: string, data: unknown): string => `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
