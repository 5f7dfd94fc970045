import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished } from 'vitest'
import { attempt } from '../../../server/features/webhooks/attempt'
import { aReceiver } from '../../support/webhooks/receiver'
import { aProject } from '../../support/world/factories'
import { test } from '../../support/world/http'

const PRIVATE = /is on a private network/

describe('39: a webhook', () => {
  test('reaches nothing on this computer or network unless the host account says so', async ({
    server,
    alice,
  }) => {
    const receiver = await aReceiver()
    const { project_id: id } = await aProject(server, alice)
    const owner = server.as(alice)
    const { port } = receiver
    const hosts = [
      ...[
        '127.0.0.1',
        '127.1',
        '2130706433',
        '0x7f.1',
        '017700000001',
        '127.0.0.1.',
        '0',
        '0.0.0.0',
        'localhost',
      ],
      ...[
        '[::1]',
        '[::]',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[::127.0.0.1]',
        '[64:ff9b::7f00:1]',
        '[fe80::1]',
      ],
      ...[
        '169.254.169.254',
        '10.0.0.1',
        '192.168.1.1',
        '100.100.100.200',
        '[fd00:ec2::254]',
        '①②⑦.0.0.1',
      ],
    ]
    for (const host of hosts) {
      const { webhook } = await owner.webhooks.create({
        id,
        name: host,
        url: `http://${host}:${port}/`,
      })
      const path = { id, webhookId: webhook.webhook_id }
      const { delivery } = await owner.webhooks.test(path)
      expect([host, delivery.last_try?.error]).toEqual([host, expect.stringMatching(PRIVATE)])
      await owner.webhooks.remove(path)
    }
    expect(receiver.connections).toBe(0)

    await server.inside.settings.update({ webhook_networks: ['127.0.0.1'] })
    const { webhook } = await owner.webhooks.create({ id, name: 'Allowed', url: receiver.url })
    const { delivery } = await owner.webhooks.test({ id, webhookId: webhook.webhook_id })
    expect(delivery.last_try?.error).toBeNull()
  })

  test('follows no redirect', async ({ server, alice }) => {
    const target = await aReceiver()
    const receiver = await aReceiver(() => ({
      status: 307,
      headers: { location: `${target.url}/` },
    }))
    await server.inside.settings.update({ webhook_networks: ['127.0.0.1'] })
    const { project_id: id } = await aProject(server, alice)
    const { webhook } = await server
      .as(alice)
      .webhooks.create({ id, name: 'CI', url: receiver.url })
    const { delivery } = await server.as(alice).webhooks.test({ id, webhookId: webhook.webhook_id })
    expect(delivery.last_try?.error).toMatch(/^It redirects elsewhere \(307\)/)
    expect(target.connections).toBe(0)
  })

  test('connects to the address that was checked, and asks for a name only once', async () => {
    const receiver = await aReceiver()
    const asked: string[] = []
    const request = {
      url: new URL(`http://localhost:${receiver.port}/`),
      method: 'POST' as const,
      headers: {},
      body: '{}',
    }
    // As a name server that answers otherwise each time: the first answer is allowed, every later
    // one would not be.
    const mayReach = (address: string) => asked.push(address) <= 2 && address === '127.0.0.1'
    const { status } = await attempt(request, {
      mayReach,
      signal: new AbortController().signal,
      now: new Date(),
    })
    expect(status).toBe(200)
    expect(asked.filter((address) => address === '127.0.0.1')).toHaveLength(1)
    expect(receiver.connections).toBe(1)
  })

  test('reads 64 kB of an endless reply, and keeps no connection', async () => {
    let sent = 0
    const server = createServer((socket) => {
      socket.on('error', () => undefined)
      socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n')
      const more = (): void =>
        void (
          socket.destroyed || socket.write('y'.repeat(65_536), () => ((sent += 65_536), more()))
        )
      socket.once('data', more)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const request = {
      url: new URL(`http://127.0.0.1:${port}/`),
      method: 'POST' as const,
      headers: {},
      body: '{}',
    }
    const outcome = await attempt(request, {
      mayReach: () => true,
      signal: new AbortController().signal,
      now: new Date(),
    })
    expect(outcome).toMatchObject({ status: 200, error: null })
    expect(outcome.reply).toHaveLength(1000)
    await new Promise<void>((done) => server.close(() => done()))
    expect(sent).toBeLessThan(16 * 1024 * 1024)
  })
})
