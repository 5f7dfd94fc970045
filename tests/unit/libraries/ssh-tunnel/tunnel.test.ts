import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { realDisk } from '../../../../server/core/durable-file'
import { Tunnel } from '../../../../server/libraries/ssh-tunnel/tunnel'
import { SECOND, TestClock } from '../../../support/world/test-clock'
import { TestLog } from '../../../support/world/test-log'
import { tempDir } from '../../../support/system/temp-dir'

let server: Server
let tunnel: Tunnel
let connections: number
const clock = new TestClock()

beforeEach(async () => {
  connections = 0
  server = createServer((socket) => {
    connections++
    socket.on('error', () => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  tunnel = new Tunnel({
    dataDir: await tempDir(),
    disk: realDisk,
    clock,
    log: new TestLog(),
    enter: () => {},
    patience: { openMs: 300, keepaliveMs: 300 },
  })
})
afterEach(async () => {
  await tunnel.close()
  server.close()
})

const open = () => {
  const { port } = server.address() as AddressInfo
  return tunnel.open({
    server: '127.0.0.1',
    port,
    user: 'root',
    remotePort: 443,
    fingerprint: null,
  })
}

test('retries a server that says nothing only when the wait has passed', async () => {
  await open()
  await expect
    .poll(() => tunnel.state)
    .toMatchObject({ kind: 'waiting', problem: expect.stringMatching(/timed out/i) as string })
  expect(tunnel.state).toMatchObject({
    retryAt: new Date(clock.now().getTime() + SECOND).toISOString(),
  })
  expect(connections).toBe(1)

  clock.advance(SECOND)
  await expect.poll(() => connections).toBe(2)
})

test('retries a server that does not speak SSH', async () => {
  server.on('connection', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))
  await open()

  await expect.poll(() => tunnel.state?.kind).toBe('waiting')
})

test('closes while it connects', async () => {
  await open()
  await expect.poll(() => connections).toBe(1)
  await tunnel.close()

  expect(tunnel.state).toBeUndefined()
  clock.advance(60 * SECOND)
  expect(connections).toBe(1)
})

test('keeps only the last of two attempts at once', async () => {
  await Promise.all([open(), open()])
  await expect.poll(() => tunnel.state?.kind).toBe('waiting')

  expect(connections).toBeLessThanOrEqual(2)
  await tunnel.close()
  expect(tunnel.state).toBeUndefined()
})
