import { createServer, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import {
  ACCOUNT_LIMITS,
  lingerAfterReply,
  type LingerLimits,
} from '../../../server/http/listen/linger'
import { RawClient } from '../../support/network/raw-client'
import { listening } from '../../support/system/listening'

const KB = 1024

/**
 * A server that refuses each request without reading its body, and a client that has not begun to
 * read.
 */
async function refusing(limits: LingerLimits = ACCOUNT_LIMITS) {
  const server = createServer((request: IncomingMessage, response) => {
    lingerAfterReply(request, limits)
    response.writeHead(401, { connection: 'close', 'content-length': 7 }).end('refused')
  })
  const port = await listening(server)
  const client = await RawClient.connect(port)
  client.socket.pause()
  const send = (bytes: number) =>
    new Promise((resolve) => client.socket.write(Buffer.alloc(bytes), () => resolve(undefined)))
  return { client: client.head(port, 'PUT /', { 'Content-Length': String(KB ** 3) }), send }
}

test('a refused client that sends everything before it reads still gets the reply', async () => {
  const { client, send } = await refusing()
  for (let sent = 0; sent < 8; sent++) await send(1024 * KB)

  client.socket.resume()
  expect(await client.reply()).toMatchObject({ status: 401, body: 'refused' })
})

test('a refused client that sends too much, or nothing, is cut', async () => {
  const much = await refusing({ bytes: 64 * KB, ms: 60_000, graceMs: 10 })
  const more = setInterval(() => much.client.write(Buffer.alloc(64 * KB)), 1)
  await much.client.closed
  clearInterval(more)

  const { client } = await refusing({ bytes: KB ** 3, ms: 10, graceMs: 60_000 })
  client.socket.resume()
  await client.closed
  expect(client.received).toContain('refused')
})
