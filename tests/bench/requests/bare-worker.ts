import { createServer, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What a server answers. */
export interface Reply {
  status: number
  headers: OutgoingHttpHeaders
  /** In base64. */
  body: string
}

/** Node's own HTTP server and nothing else: it answers every request as it was last told. */
let reply: Reply = { status: 200, headers: {}, body: '' }
let body = Buffer.alloc(0)
const server = createServer((_request, response) => {
  response.writeHead(reply.status, reply.headers)
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
process.on('message', (message) => {
  reply = message as Reply
  body = Buffer.from(reply.body, 'base64')
  process.send?.({})
})
