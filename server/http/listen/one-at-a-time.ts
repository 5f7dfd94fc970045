import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Middleware } from 'koa'

/**
 * Runs one request of a connection at a time: pipelined ones (RFC 9112 §9.3.2) would let a few connections start
 * thousands at once.
 */
export function oneAtATime(): Middleware {
  const newest = new WeakMap<Socket, ServerResponse>()
  return async ({ req: { socket }, res }, next) => {
    const before = newest.get(socket)
    newest.set(socket, res)
    if (before && !before.closed) await new Promise<void>((resolve) => before.once('close', resolve))
    await next()
  }
}
