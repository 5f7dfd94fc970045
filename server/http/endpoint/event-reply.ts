import type { Context } from 'koa'
import { event } from './event-stream'

/** After so much silence the client hears the last event again, in ms: else the connection would be cut as idle. */
const HEARTBEAT_MS = 15_000

/**
 * Answers one request with server-sent events of a type, until `run` returns. What `run` throws before the first event is
 * answered as by any call; later, it has to tell by an event of its own. The signal says that the client has left.
 */
export async function replyWithEvents(
  ctx: Context,
  type: string,
  run: (send: (data: object) => void, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const left = new AbortController()
  ctx.res.once('close', () => left.abort())
  let last: string | undefined
  const beating = setInterval(() => last !== undefined && ctx.res.write(last), HEARTBEAT_MS).unref()
  const send = (data: object) => {
    if (last === undefined) begin(ctx)
    last = event(type, data)
    ctx.res.write(last)
  }
  try {
    await run(send, left.signal)
  } catch (cause) {
    if (!left.signal.aborted) throw cause
  } finally {
    clearInterval(beating)
  }
  ctx.respond = false
  ctx.res.end()
}

function begin(ctx: Context): void {
  ctx.respond = false
  ctx.status = 200
  ctx.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
}
