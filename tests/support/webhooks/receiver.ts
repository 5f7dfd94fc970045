import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A request that a receiver got. */
interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  text: string
}

interface Reply {
  status?: number
  headers?: Record<string, string>
  body?: string
  /** The reply waits for this. */
  after?: Promise<unknown>
}

/**
 * A server on this computer that keeps what it gets; closed after the test. `answer` may be changed
 * meanwhile.
 */
export async function aReceiver(answer: (request: Received, count: number) => Reply = () => ({})) {
  const got: Received[] = []
  const receiver = { url: '', port: 0, got, answer, connections: 0 }
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request
      const received = { method, path, headers, text: Buffer.concat(chunks).toString() }
      got.push(received)
      const {
        status = 200,
        headers: more = {},
        body = '',
        after,
      } = receiver.answer(received, got.length)
      void Promise.resolve(after).then(() => response.writeHead(status, more).end(body))
    })
  })
  server.on('connection', () => receiver.connections++)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  receiver.port = (server.address() as AddressInfo).port
  receiver.url = `http://127.0.0.1:${receiver.port}`
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return receiver
}
