import { connect as connectTls } from 'node:tls'
import { expect } from 'vitest'
import { WINDOW_HEADER } from '../../../server/contract/host/desktop'
import { aFile, aUser } from '../../support/world/factories'
import { RawClient } from '../../support/network/raw-client'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/** Every Linux has the whole of 127.0.0.0/8; these two stand for other machines. */
const [FLOOD, POLITE] = ['127.0.0.2', '127.0.0.3']
const HERE = '127.0.0.1'
const MOST = 32
const PER_ADDRESS = 8

/** Opens so many connections from this address, which are closed before the server is. */
type Open = (count: number, from: string) => Promise<RawClient[]>

const test = base.extend<{ open: Open }>({
  open: async ({ server }, use) => {
    const all: RawClient[] = []
    await use(async (count, from) => {
      const clients = await Promise.all(
        Array.from({ length: count }, () => RawClient.connect(server.port, from)),
      )
      all.push(...clients)
      return clients
    })
    all.forEach((client) => client.close())
  },
})

const isOpen = ({ socket }: RawClient) => !socket.destroyed && !socket.readableEnded

/** The answer to a request from this address, on its own connection. */
async function ask(server: TestServer, from: string, headers: Record<string, string> = {}) {
  const client = await RawClient.connect(server.port, from)
  const { status } = await client.head(server.port, 'GET /api/auth/check', headers).reply()
  client.close()
  return status
}

const crowded = test.extend({
  config: { rateLimits: true, connections: MOST },
  settings: { connections_per_address: PER_ADDRESS },
})

crowded(
  'an address has so many connections: its longest silent one gives way to a new one',
  async ({ server, open }) => {
    const clients = await open(PER_ADDRESS, FLOOD)
    await open(3, FLOOD)

    await expect.poll(() => clients.filter(isOpen).length).toBe(PER_ADDRESS - 3)
    expect(clients.slice(3).every(isOpen)).toBe(true)
    expect(await ask(server, FLOOD)).toBe(200)
  },
)

crowded('a change of the limit counts at once', async ({ server, open, atWindow: { client } }) => {
  await client.settings.change({ connections_per_address: 20 })

  const clients = await open(20, FLOOD)
  expect(await ask(server, POLITE)).toBe(200)
  expect(clients.every(isOpen)).toBe(true)
})

crowded('this computer has as many connections as there are', async ({ server, open }) => {
  const clients = await open(3 * PER_ADDRESS, HERE)

  expect(await ask(server, POLITE)).toBe(200)
  expect(clients.every(isOpen)).toBe(true)
})

const behindProxy = crowded.extend({
  config: { rateLimits: true, connections: MOST, trustProxy: [FLOOD] },
})
behindProxy('a trusted proxy has as many connections as there are', async ({ server, open }) => {
  const clients = await open(3 * PER_ADDRESS, FLOOD)

  expect(await ask(server, POLITE)).toBe(200)
  expect(clients.every(isOpen)).toBe(true)
})

const full = test.extend({ config: { connections: MOST } })

full(
  'when all connections are used, the address with the most silent ones gives way',
  async ({ server, open }) => {
    const polite = await open(3, POLITE)
    const flood = await open(MOST - 3, FLOOD)
    const late = await open(5, POLITE)

    await expect.poll(() => flood.filter(isOpen).length).toBe(MOST - 3 - 5)
    expect([...polite, ...late].every(isOpen)).toBe(true)
    expect([await ask(server, POLITE), await ask(server, HERE), await ask(server, FLOOD)]).toEqual([
      200, 200, 200,
    ])
  },
)

full(
  'downloads do not give way; what is left over is for short requests and the app window',
  async ({ server, open }) => {
    const bytes = Buffer.alloc(8_000_000)
    const { file_id } = await aFile(server, await aUser(server, 'alice'), {
      bytes,
      is_public: true,
    })
    const path = `/api/files/public/alice/${file_id}/download`
    const downloads = await open(28, FLOOD)
    for (const client of downloads) client.head(server.port, `GET ${path}`).socket.pause()
    await expect.poll(() => server.inside.transfers.count).toBe(28)

    expect(await ask(server, POLITE)).toBe(503)
    expect(await ask(server, HERE)).toBe(503)
    const browser = await RawClient.connect(server.port, HERE)
    const page = await browser
      .head(server.port, 'GET /browse', { Accept: 'text/html,*/*;q=0.8' })
      .reply()
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('<h1>The host is busy</h1>')
    browser.close()
    expect(await ask(server, HERE, { [WINDOW_HEADER]: 'the secret of the app window' })).toBe(200)
    expect(server.inside.transfers.count).toBe(28)
    downloads[0]?.close()
    await expect.poll(() => ask(server, POLITE)).toBe(200)
  },
)

const patience = { firstByteMs: 500, headersMs: 60_000, bodyMs: 500 }
const impatient = test.extend({ config: { patience }, settings: { https: 'local' } })

impatient(
  'a connection on which nothing is sent is closed, with and without HTTPS',
  async ({ server }) => {
    const plain = await RawClient.connect(server.port)
    const secure = connectTls({ port: server.port, host: HERE, rejectUnauthorized: false }).resume()
    secure.on('error', () => undefined)

    await Promise.all([plain.closed, new Promise((resolve) => secure.once('close', resolve))])
    expect(plain.received).toBe('')
  },
)

impatient('what came while the host was busy is answered, however late', async ({ server }) => {
  const client = await RawClient.connect(server.port)
  await ask(server, HERE)
  client.head(server.port, 'GET /api/auth/check')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, patience.firstByteMs)
  expect((await client.reply()).status).toBe(200)
})

impatient('a JSON body must be complete in time, however steadily it drips', async ({ server }) => {
  const client = await RawClient.connect(server.port)
  client.head(server.port, 'POST /api/auth/login', {
    'Content-Type': 'application/json',
    'Content-Length': '100000',
  })
  const drip = setInterval(() => client.write(' '), 50)

  const { status, body, headers } = await client.reply()
  await client.closed
  clearInterval(drip)

  expect([status, headers['connection']]).toEqual([408, 'close'])
  expect(JSON.parse(body)).toMatchObject({ success: false, code: 'request_timeout' })
})
