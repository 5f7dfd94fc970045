import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { TestServer } from '../world/test-server'

/** What a relay changes on the way. */
export interface Change {
  path: RegExp
  change: (bytes: Buffer) => Buffer
}

/** In its last byte but one. */
export const inOneByte = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes)
  const at = Math.max(0, copy.length - 2)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

/**
 * A relay between the host and a reader. `now` returns what it changes at present. Returns its
 * address.
 */
export async function aChangingRelay(
  { url }: TestServer,
  now: () => Change | undefined,
): Promise<string> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { url: path = '', method = 'GET' } = request
    const reply = await fetch(url + path, { method })
    const bytes = Buffer.from(await reply.arrayBuffer())
    const change = now()
    response.writeHead(reply.status).end(change?.path.test(path) ? change.change(bytes) : bytes)
  }
  const relay = createServer((request, response) => void answer(request, response))
  onTestFinished(() => void relay.close())
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
}
