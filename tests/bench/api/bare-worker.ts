import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Node's own HTTP server and nothing else: it answers every request with the bytes last set. */
let body = Buffer.from('{}')
const server = createServer((_request, response) => {
  response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length })
  response.end(body)
})
server.listen(0, '127.0.0.1', () => {
  process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
})
process.on('message', (text) => {
  body = Buffer.from(String(text))
  process.send?.({})
})
