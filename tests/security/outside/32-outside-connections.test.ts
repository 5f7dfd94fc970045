import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { describe, expect } from 'vitest'
import { aFile, aUser } from '../../support/world/factories'
import { aTunnel, NUMBER, openOutside, statusAt } from '../../support/network/outside'
import { RawClient } from '../../support/network/raw-client'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'
import { freePort } from '../../../scripts/dev/free-port'

const VISITOR = '198.51.100.4'
const PER_ADDRESS = 8

/** Opens connections, which are closed before the server is. */
type Open = (count: number, port: number) => Promise<RawClient[]>

const test = base.extend<{ open: Open }>({
  open: async ({ server }, use) => {
    const all: RawClient[] = []
    await use(async (count, port) => {
      const clients = await Promise.all(
        Array.from({ length: count }, () => RawClient.connect(port)),
      )
      all.push(...clients)
      return clients
    })
    all.forEach((client) => client.close())
    await server.inside.outsideDoor.close(0)
  },
})

const isOpen = ({ socket }: RawClient) => !socket.destroyed && !socket.readableEnded
const asks = (port: number) => statusAt(port, { Host: NUMBER })

describe('the limit of connections per address', () => {
  const crowded = test.extend({
    config: { rateLimits: true, trustProxy: ['127.0.0.1', VISITOR] },
    settings: { connections_per_address: PER_ADDRESS },
  })

  crowded(
    'holds at the door for loopback and for trusted proxies too',
    async ({ server, open }) => {
      const { port } = await openOutside(server)
      const clients = await open(PER_ADDRESS, port)
      await open(3, port)

      await expect.poll(() => clients.filter(isOpen).length).toBe(PER_ADDRESS - 3)
      expect(await asks(port)).toBe(200)
    },
  )

  crowded('counts a connection of a tunnel for its visitor', async ({ server, open }) => {
    const { port } = await openOutside(server)
    const [one, other] = [await aTunnel(server, VISITOR), await aTunnel(server, '198.51.100.5')]
    const clients = [
      ...(await open(PER_ADDRESS, one)),
      ...(await open(2, other)),
      ...(await open(2, port)),
    ]
    await open(1, one)

    await expect.poll(() => clients.filter(isOpen).length).toBe(clients.length - 1)
    expect(clients.slice(PER_ADDRESS).every(isOpen)).toBe(true)
    expect([await asks(other), await asks(port)]).toEqual([200, 200])
  })
})

describe('a client that is too slow', () => {
  const impatient = test.extend({
    config: { patience: { firstByteMs: 400, headersMs: 800, idleMs: 5000 } },
  })

  impatient.for(['the door', 'a tunnel'])(
    'loses its connection at %s',
    async (where, { server, open }) => {
      const { port } = await openOutside(server)
      const at = where === 'the door' ? port : await aTunnel(server, VISITOR)
      const [silent, slow] = (await open(2, at)) as [RawClient, RawClient]
      slow.write('GET / HTTP/1.1\r\nHost: ')
      const secure = connectTls({ port: at, host: '127.0.0.1', rejectUnauthorized: false }).resume()
      secure.on('error', () => undefined)
      const shaking = connect(at, '127.0.0.1').resume()
      shaking.on('error', () => undefined)
      shaking.write(Buffer.from([0x16, 3, 1]))

      const sockets = [secure, shaking].map((socket) => once(socket, 'close'))
      await Promise.all([silent.closed, slow.closed, ...sockets])
      expect([silent.received, slow.received.split('\r\n')[0]]).toEqual([
        '',
        'HTTP/1.1 408 Request Timeout',
      ])
      expect(await asks(at)).toBe(200)
    },
  )
})

describe('a door that closes', () => {
  test('cuts a download that is too late, but none at home', async ({ server, open }) => {
    const { port } = await openOutside(server)
    const path = await aBigFile(server)
    const tunnel = await aTunnel(server, VISITOR)
    const [direct, tunneled, idle] = [
      await begin(port, path),
      await begin(tunnel, path),
      await open(1, port),
    ]
    const home = await begin(server.port, path, `127.0.0.1:${server.port}`)

    await server.inside.outsideDoor.close(100)
    expect(server.inside.outsideDoor.port).toBeUndefined()
    const ended = [direct, tunneled].map((reply) =>
      received(reply).catch((error: unknown) => (error as { code: string }).code),
    )
    expect(await Promise.all(ended)).toEqual(['ECONNRESET', 'ECONNRESET'])
    expect(idle.filter(isOpen)).toEqual([])
    await expect(RawClient.connect(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    const late = await RawClient.connect(tunnel)
    await late.closed
    expect(await received(home)).toBe(BIG)
    await server.inside.outsideDoor.close(0)
  })

  test('lets a fast download end, and opens again at its port meanwhile', async ({ server }) => {
    const { outsideDoor } = server.inside
    const { port } = await openOutside(server)
    const reply = await begin(port, await aBigFile(server))

    const closing = outsideDoor.close()
    expect(await outsideDoor.open(port)).toBe(port)
    expect(await asks(port)).toBe(200)
    expect(await received(reply)).toBe(BIG)
    await closing
    expect(await asks(port)).toBe(200)
    await server.close()
    await expect(RawClient.connect(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('the port of the door', () => {
  test('changes while a download runs', async ({ server }) => {
    const { outsideDoor } = server.inside
    const { port } = await openOutside(server)
    const reply = await begin(port, await aBigFile(server))
    const free = await freePort()

    expect([
      await outsideDoor.open(),
      await outsideDoor.open(free),
      await outsideDoor.open(free),
    ]).toEqual([port, free, free])
    expect(await asks(free)).toBe(200)
    await expect(RawClient.connect(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    expect(await received(reply)).toBe(BIG)
    expect((await server.fetch('/api/auth/check')).status).toBe(200)
  })

  test('is another where a program has it, also for several at once', async ({ server }) => {
    const { outsideDoor } = server.inside
    const taken = server.port
    const [first, second] = await Promise.all([outsideDoor.open(taken), outsideDoor.open()])

    expect(first).toBe(second)
    expect(first).not.toBe(taken)
    expect([outsideDoor.port, (await server.fetch('/api/auth/check')).status]).toEqual([first, 200])
  })

  test('is open for IPv4 and IPv6, and loopback is outside in both', async ({ server }) => {
    const { port } = await openOutside(server)
    const seen: string[] = []
    server.inside.outsideDoor.onVisitor((address) => seen.push(address))
    for (const host of ['127.0.0.1', '::1']) {
      const headers = { host: `localhost:${port}` }
      const [reply] = (await once(get({ host, port, headers, agent: false }), 'response')) as [
        IncomingMessage,
      ]
      expect(reply.resume().statusCode).toBe(421)
    }
    expect(await asks(await aTunnel(server, `::ffff:${VISITOR}`))).toBe(200)
    expect(seen).toEqual(['127.0.0.1', '::1', VISITOR])
  })
})

const BIG = 20_000_000

/** The path of a public file that a paused client cannot receive at once. */
async function aBigFile(server: TestServer): Promise<string> {
  const { file_id } = await aFile(server, await aUser(server, 'alice'), {
    bytes: Buffer.alloc(BIG),
    is_public: true,
  })
  return `/api/files/public/alice/${file_id}/download`
}

/** Begins a download, and reads its head alone. */
async function begin(port: number, path: string, host = NUMBER): Promise<IncomingMessage> {
  const request = get({ host: '127.0.0.1', port, path, headers: { host }, agent: false })
  const [reply] = (await once(request, 'response')) as [IncomingMessage]
  return reply
}

const received = async (reply: IncomingMessage): Promise<number> => (await buffer(reply)).length
