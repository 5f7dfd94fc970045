import type { Context } from 'koa'
import { beginEvents, event } from './event-stream'

/**
 * Repeats the last event after this silence, in ms, so that proxies do not cut an idle connection.
 */
const HEARTBEAT_MS = 15_000

/**
 * Answers one request with server-sent events until `run` returns. An error before the first event
 * becomes an ordinary reply; later errors need an event of their own. The signal aborts when the
 * client disconnects.
 */
export async function replyWithEvents(
  ctx: Context,
  type: string,
  run: (send: (data: object) => void, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const controller = new AbortController()
  ctx.res.once('close', () => controller.abort())

  let last: string | undefined
  const beating = setInterval(() => last !== undefined && ctx.res.write(last), HEARTBEAT_MS).unref()
  const send = (data: object) => {
    if (last === undefined) beginEvents(ctx)
    last = event(type, data)
    ctx.res.write(last)
  }

  try {
    await run(send, controller.signal)
  } catch (cause) {
    if (!controller.signal.aborted) throw cause
  } finally {
    clearInterval(beating)
  }

  ctx.respond = false
  ctx.res.end()
}
