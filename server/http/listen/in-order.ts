import type { RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Passes on the requests of a connection one at a time: pipelined ones (RFC 9112 §9.3.2) would let a few connections
 * start thousands at once. Refuses targets without a path (RFC 9112 §3.2), such as `*`, because no call has one.
 */
export function inOrder(handler: RequestListener): RequestListener {
  const newest = new WeakMap<Socket, ServerResponse>()
  return (request, response) => {
    const before = newest.get(request.socket)
    newest.set(request.socket, response)
    if (!hasPath(request.url ?? '')) return refuse(response)
    if (!before || before.closed) return handler(request, response)
    before.once('close', () => handler(request, response))
  }
}

/** A path, or a whole address as proxies send it. */
const hasPath = (target: string) => target.startsWith('/') || (/^https?:\/\/[^/]/i.test(target) && URL.canParse(target))

function refuse(response: ServerResponse): void {
  const body = JSON.stringify({ success: false, error: 'The request names no path', code: 'invalid_input' })
  response.writeHead(400, { 'Content-Type': 'application/json; charset=utf-8', Connection: 'close' }).end(body)
}
