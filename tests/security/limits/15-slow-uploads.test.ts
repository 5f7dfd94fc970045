import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Server } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { rounds } from '../../support/system/rounds'
import { aUser } from '../../support/world/factories'
import { keptBytes, NOTHING_KEPT } from '../../support/kept-bytes'
import { filePart, multipartBody, multipartType } from '../../support/multipart'
import { RawClient } from '../../support/network/raw-client'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/** As many as a scanner such as slowhttptest opens. */
const CLIENTS = 800
const IDLE_MS = 1000
/** So long that a busy machine does not make a client idle that sends all the time. */
const MOVING_IDLE_MS = 4000
/**
 * Longer than Node would allow a request by default: 300 s in the full run; in every run, longer
 * than the idle time.
 */
const SLOW_MS = rounds(310_000, MOVING_IDLE_MS + IDLE_MS)

const body = multipartBody(filePart('x'.repeat(10_000), 'slow.bin'))

async function begun(server: TestServer): Promise<RawClient> {
  const client = await RawClient.connect(server.port)
  const key = await server.keyOf(await aUser(server, 'alice'))
  const headers = {
    'X-API-Key': key,
    'Content-Type': multipartType,
    'Content-Length': `${body.length}`,
  }
  client.head(server.port, 'POST /api/files/upload', headers).write(body.subarray(0, 5000))
  await expect.poll(() => server.inside.quota.held()).toBeGreaterThan(0)
  return client
}

base(
  'what no test waits for: 60 s without a byte, 15 s for a head, no end for a whole request',
  async ({ server }) => {
    const servers = new Set<Server>()
    const listen = (message: unknown) => servers.add((message as { server: Server }).server)
    subscribe('http.server.request.start', listen)
    onTestFinished(() => void unsubscribe('http.server.request.start', listen))

    await server.fetch('/api/auth/check')

    const ours = [...servers].find(
      (one) => (one.address() as { port: number } | null)?.port === server.port,
    )
    expect(ours).toMatchObject({ timeout: 60_000, headersTimeout: 15_000, requestTimeout: 0 })
  },
)

/**
 * How a client begins that then sends no more: a head that does not end (slowloris), a body that
 * does not.
 */
base.for([
  ['head', 'X-Slow: '],
  ['body', 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{'],
] as const)(
  `a request is answered while ${CLIENTS} clients are slow with a %s`,
  async ([, rest], { server }) => {
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, () => RawClient.connect(server.port)),
    )
    for (const client of clients)
      client.write(`POST /api/auth/login HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${rest}`)

    const { status } = await server.fetch('/api/auth/check')

    const open = clients.filter(({ socket }) => !socket.destroyed)
    expect([status, open.length]).toEqual([200, CLIENTS])
    open.forEach((client) => client.close())
  },
)

const test = base.extend({ config: { patience: { idleMs: IDLE_MS, headersMs: IDLE_MS } } })

test('an upload that stands still is cut, and leaves nothing', async ({ server }) => {
  const client = await begun(server)

  await client.closed

  expect(client.received).not.toContain(' 201 ')
  await expect.poll(() => keptBytes(server)).toEqual(NOTHING_KEPT)
})

const moving = base.extend({
  config: { patience: { idleMs: MOVING_IDLE_MS, headersMs: MOVING_IDLE_MS } },
})

moving(
  `an upload of ${SLOW_MS / 1000} s arrives, as long as it moves`,
  { timeout: SLOW_MS + 60_000 },
  async ({ server }) => {
    const client = await begun(server)
    const end = performance.now() + SLOW_MS
    let sent = 5000
    for (; performance.now() < end; sent++) {
      client.write(body.subarray(sent, sent + 1))
      await pause(IDLE_MS / 10)
    }
    client.write(body.subarray(sent))

    expect((await client.reply()).status).toBe(201)
    client.close()
  },
)

test('a head that does not end is cut', async ({ server }) => {
  const client = await RawClient.connect(server.port)
  client.write('GET / HTTP/1.1\r\nX-Slow: ')
  const drip = setInterval(() => client.write('x'), IDLE_MS / 10)

  await client.closed
  clearInterval(drip)

  expect(client.received).toMatch(/^(HTTP\/1\.1 408 |$)/)
})
