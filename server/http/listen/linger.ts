import type { IncomingMessage } from 'node:http'

/** What a refused client may still send until it reads the reply: most builds, at the speed of a home network. */
const BOUNDS = { bytes: 512 * 1024 * 1024, ms: 10_000 }

/**
 * Lets a client read a reply that comes before the end of its request: behind the reply, the connection is closed in one
 * direction only, and what the client still sends is dropped, within bounds. Closing it at once would reset it, which
 * takes the reply away from clients that write everything first, and on Windows from all (RFC 9112 §9.6). Call it before
 * the reply, which needs `Connection: close`.
 */
export function lingerAfterReply(request: IncomingMessage, most = BOUNDS): void {
  const { socket } = request
  const cut = () => socket.destroy()
  const timer = setTimeout(cut, most.ms).unref()
  socket.once('close', () => clearTimeout(timer))
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > most.bytes) cut()
  })
  request.resume()
  // Node closes a connection by this after its last reply.
  socket.destroySoon = () => void socket.end()
}
