import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect } from 'vitest'
import { WINDOW_HEADER } from '../../../server/contract/host/desktop'
import { aFile, aLink, aProject } from '../../support/world/factories'
import { RawClient } from '../../support/network/raw-client'
import { problem, replyOf } from '../../support/network/reply'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

/** Every Linux has the whole of 127.0.0.0/8; this one stands for another machine. */
const ELSEWHERE = '127.0.0.2'
const AT_ONCE = 2

const test = base.extend({
  config: { rateLimits: true, heavyReplies: { atOnce: AT_ONCE, waiting: 1, waitMs: 60_000 } },
})

/** Heavy replies to 127.0.0.1 that run until `end` is called. */
async function running(server: TestServer): Promise<{ end: () => void }> {
  const responses = Array.from(
    { length: AT_ONCE },
    () => new ServerResponse(new IncomingMessage(new Socket())),
  )
  for (const response of responses)
    await server.inside.serving.heavyReplies?.enter('127.0.0.1', response)
  return { end: () => responses.forEach((response) => response.emit('close')) }
}

async function ask(
  server: TestServer,
  line: string,
  from?: string,
  headers?: Record<string, string>,
) {
  const client = await RawClient.connect(server.port, from)
  const { status } = await client.head(server.port, line, headers).reply()
  client.close()
  return status
}

test.for(['GET /api/projects', 'HEAD /api/projects', 'GET /api/files/public'])(
  '%s waits while its address gets two heavy replies; a further one is refused',
  async (line, { server }) => {
    const others = await running(server)
    const waiting = await RawClient.connect(server.port)
    waiting.head(server.port, line)
    await expect.poll(async () => (await server.fetch('/api/projects')).status).toBe(429)

    const refused = await server.fetch('/api/projects')
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(await replyOf(refused)).toEqual(problem('too_many_requests'))
    expect(waiting.received).toBe('')
    others.end()
    await expect.poll(() => waiting.received).toMatch(/^HTTP\/1\.1 200 /)
    waiting.close()
  },
)

test('others, the app window, and what costs little do not wait', async ({ server }) => {
  await running(server)

  expect(await ask(server, 'GET /api/projects', ELSEWHERE)).toBe(200)
  const window = { [WINDOW_HEADER]: 'the secret of the app window' }
  expect(await ask(server, 'GET /api/projects', '127.0.0.1', window)).toBe(200)
  expect(await ask(server, 'GET /api/host')).toBe(200)
})

test('what visitors share does not wait', async ({ server }) => {
  const paths = ['/api/projects', '/api/files/public', '/']
  for (const path of paths) expect((await server.fetch(path)).status).toBe(200)
  await running(server)

  for (const path of paths) expect((await server.fetch(path)).status).toBe(200)
})

test('a page is refused in words while its network opens too many', async ({ server }) => {
  const others = await running(server)
  const waiting = await RawClient.connect(server.port)
  waiting.head(server.port, 'GET /')
  await expect.poll(async () => (await server.fetch('/')).status).toBe(429)

  const refused = await server.fetch('/p/rocket')
  expect(refused.headers.get('retry-after')).toBe('2')
  expect(await refused.text()).toContain('Your network opens many pages of this host right now.')
  expect(await ask(server, 'GET /', ELSEWHERE)).toBe(200)
  others.end()
  await expect.poll(() => waiting.received).toMatch(/^HTTP\/1\.1 200 /)
  waiting.close()
})

test('a network may open 600 pages a minute', async ({ server }) => {
  for (let page = 0; page < 600; page++) expect((await server.fetch('/login')).status).toBe(200)
  expect((await server.fetch('/login')).status).toBe(429)
  expect(await ask(server, 'GET /login', ELSEWHERE)).toBe(200)
})

test('a connection runs one request at a time, however many it sends', async ({ server }) => {
  const others = await running(server)
  const client = await RawClient.connect(server.port)
  for (let sent = 0; sent < 5; sent++) client.head(server.port, 'GET /api/projects')
  await expect.poll(async () => (await server.fetch('/api/projects')).status).toBe(429)
  others.end()
  await expect
    .poll(() => client.received.match(/HTTP\/1\.1 \d+ /g))
    .toEqual(Array(5).fill('HTTP/1.1 200 '))
  client.close()
})

test('a zip is heavy until it is laid out, then a download', async ({ server, alice }) => {
  const project = await aProject(server, alice, { is_public: true })
  const file = await aFile(server, alice, { is_public: true, bytes: Buffer.alloc(12_000_000) })
  await aLink(server, alice, project, file)
  const clients = await Promise.all(
    Array.from({ length: 2 * AT_ONCE }, () => RawClient.connect(server.port)),
  )
  for (const client of clients) {
    client.socket.once('data', () => client.socket.pause())
    client.head(server.port, `GET /api/projects/${project.slug}/download`)
    await expect.poll(() => client.received).toMatch(/^HTTP\/1\.1 200 /)
  }

  expect(await ask(server, `GET /api/projects/${project.slug}/SHA256SUMS`)).toBe(200)
  clients.forEach((client) => client.close())
})
