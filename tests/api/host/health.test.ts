import { mkdir, rename } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { openOutside } from '../../support/network/outside'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'

describe('host.health', () => {
  test('says only that the host can serve, and no cache keeps it', async ({ server }) => {
    const response = await server.fetch('/api/health')

    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await replyOf(response)).toEqual({ status: 200, body: { success: true, status: 'ok' } })
    expect((await server.fetch('/api/health', { method: 'HEAD' })).status).toBe(200)
  })

  test('stays 200 while only saving fails: downloads work', async ({ server }) => {
    await server.inside.library.close()

    expect(await server.visitor().host.health({})).toMatchObject({ status: 'read_only' })
  })

  test('answers 503 with the reason within seconds of losing the disk', async ({ server, log }) => {
    await rename(server.dataDir, `${server.dataDir}-unplugged`)
    await mkdir(server.dataDir)

    await expect.poll(() => replyOf(server.fetch('/api/health'))).toEqual(problem('read_only'))
    const { body } = await replyOf(server.fetch('/api/health'))
    expect(body).toMatchObject({ error: 'The disk with the data of this host is not connected' })
    await server.close()
    log.takeErrors()
  })

  test('answers through the outside door, where it tells less', async ({ server }) => {
    const outside = await openOutside(server)

    for (const ask of [outside.http, outside.https])
      expect(await replyOf(ask(`${outside.origin}/api/health`))).toMatchObject({
        body: { status: 'ok' },
      })
  })

  const limited = test.extend({ config: { rateLimits: true }, settings: { requests_per_hour: 2 } })
  limited('has no rate limit, and uses up none', async ({ server }) => {
    for (let probe = 0; probe < 10; probe++)
      expect((await server.fetch('/api/health')).status).toBe(200)
    expect((await server.fetch('/api/projects')).status).toBe(200)
  })
})
