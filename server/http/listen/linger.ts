import type { IncomingMessage } from 'node:http'

/** How much a refused client may still send, in bytes, and when its connection is cut. */
export interface LingerLimits {
  bytes: number
  /** After the reply. */
  ms: number
  /** After the client has sent `bytes`: time to read the reply. */
  graceMs: number
}

const TIMES = { ms: 10_000, graceMs: 500 }
/** An account without room: most builds fit, at the speed of a home network. */
export const ACCOUNT_LIMITS: LingerLimits = { bytes: 512 * 1024 * 1024, ...TIMES }
/** All other clients: strangers must not make the host read. */
export const STRANGER_LIMITS: LingerLimits = { bytes: 512 * 1024, ...TIMES }

/** Header of a reply to who passed a request on: there, ACCOUNT_LIMITS apply to the client. */
export const LINGER_HEADER = 'slipway-linger'

/**
 * Lets a client read a reply that comes before the end of its request: after the reply, closes one
 * direction of the connection and drops what the client still sends, within limits. Closing the
 * whole connection would reset it and lose the reply for clients that write everything first, and
 * on Windows for all (RFC 9112 §9.6). Call it before the reply, which needs `Connection: close`.
 */
export function lingerAfterReply(
  request: IncomingMessage,
  { bytes, ms, graceMs }: LingerLimits,
): void {
  const { socket } = request

  const cutAfter = (delay: number) => setTimeout(() => socket.destroy(), delay).unref()
  let cut = cutAfter(ms)
  socket.once('close', () => clearTimeout(cut))

  let remaining = bytes
  const drop = (chunk: Buffer) => {
    remaining -= chunk.length
    if (remaining > 0) return
    request.off('data', drop).pause()
    clearTimeout(cut)
    cut = cutAfter(graceMs)
  }

  request.on('data', drop).resume()
  const close = () => void socket.end(() => socket.destroy())
  // Node closes a connection by this after its last reply.
  socket.destroySoon = () => {
    socket.end()
    if (request.readableEnded) close()
    else request.once('end', close)
  }
}
