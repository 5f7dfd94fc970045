import { writeFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { DAY_MS } from '../../../server/core/clock'
import { openByteCheck, commandBackupIn } from '../../../server/features/backups/backup-state'
import { blobIdsIn, blobPath } from '../../support/kept-bytes'
import { aFile, aProject, aUser } from '../../support/world/factories'
import { openOutside } from '../../support/network/outside'
import { RawClient } from '../../support/network/raw-client'
import { json, problem, replyOf } from '../../support/network/reply'
import { test as base } from '../../support/world/http'
import type { TestServer } from '../../support/world/test-server'

const TOKEN = 'a-token-of-at-least-32-characters-here'
const bearer = { headers: { authorization: `Bearer ${TOKEN}` } }
const here = { host: '127.0.0.1', port: undefined, token: TOKEN }
const test = base.extend({ config: { metrics: here } })

async function metricsOf(server: TestServer): Promise<string> {
  const response = await server.fetch('/metrics', bearer)
  expect(response.status).toBe(200)
  return response.text()
}

/** The value of a line; undefined: there is none. Labels in the order that they are written in. */
const valueOf = (text: string, name: string): number | undefined => {
  const line = text.split('\n').find((it) => it.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

describe('what the metrics say', () => {
  test('counts requests by the pattern of their route only', async ({ server, alice }) => {
    const file = await aFile(server, alice, { is_public: true })
    for (let time = 0; time < 2; time++) await server.fetch(`/api/files/${file.file_id}`)
    await server.fetch('/api/files/no-such-file')
    await server.fetch('/api/no-such-call')
    await server.fetch('/p/no-such-project')

    await expect
      .poll(async () => {
        const text = await metricsOf(server)
        const name = 'slipway_http_requests_total'
        const counted = (labels: string) => valueOf(text, `${name}{${labels}}`)
        return [
          counted('route="/api/files/:id",method="GET",status="2xx"'),
          counted('route="/api/files/:id",method="GET",status="4xx"'),
          counted('route="none",method="GET",status="4xx"'),
          counted('route="page",method="GET",status="4xx"'),
          valueOf(text, 'slipway_http_request_duration_seconds_count{route="/api/files/:id"}'),
        ]
      })
      .toEqual([2, 1, 1, 1, 3])
    expect(await metricsOf(server)).not.toMatch(
      new RegExp(`${file.file_id}|alice|no-such|127\\.0\\.0\\.1`),
    )
  })

  const inCluster = base.extend({ config: { metrics: here, hostName: 'host-a' } })
  inCluster('names the host in each sample, in a cluster', async ({ server }) => {
    await server.fetch('/api/projects')
    const samples = (await metricsOf(server))
      .split('\n')
      .filter((it) => it !== '' && !it.startsWith('#'))
    expect(samples.length).toBeGreaterThan(40)
    expect(samples.filter((it) => !/[{,]host="host-a"[,}]/.test(it))).toEqual([])
  })

  test('names only counters as totals', async ({ server }) => {
    const types = [...(await metricsOf(server)).matchAll(/^# TYPE (\S+) (\S+)$/gm)]
    const isMisnamed = ([, name = '', type = '']: RegExpMatchArray) =>
      name.endsWith('_total') !== (type === 'counter')
    expect(types.length).toBeGreaterThan(40)
    expect(types.filter(isMisnamed).map(([, name]) => name)).toEqual([])
  })

  test('tells what is stored, sent and received', async ({ server, alice }) => {
    await aProject(server, alice)
    const bytes = new Uint8Array(300_000)
    const file = await aFile(server, alice, { is_public: true, bytes })
    await (await server.fetch(`/api/files/${file.file_id}/download`)).arrayBuffer()
    await expect
      .poll(async () => valueOf(await metricsOf(server), 'slipway_downloads_total'))
      .toBe(1)

    const text = await metricsOf(server)
    const names = [
      'accounts',
      'files',
      'projects',
      'stored_bytes',
      'trash_bytes',
      'read_only',
      'uploads_total',
    ]
    expect(names.map((name) => valueOf(text, `slipway_${name}`))).toEqual([
      1, 1, 1, 300_000, 0, 0, 1,
    ])
    expect(valueOf(text, 'slipway_transfers_total{direction="download",outcome="done"}')).toBe(1)
    expect(valueOf(text, 'slipway_transfers_total{direction="upload",outcome="done"}')).toBe(1)
    for (const way of ['received', 'sent'])
      expect(valueOf(text, `slipway_${way}_bytes_total`), way).toSatisfy(
        (it: number) => it > 3e5 && it < 4e5,
      )
    for (const name of ['disk_free_bytes', 'room_for_uploads_bytes', 'is_primary'])
      expect(valueOf(text, `slipway_${name}`), name).toBeGreaterThan(0)
    expect(valueOf(text, 'slipway_webhook_deliveries{state="waiting"}')).toBe(0)
    expect(valueOf(text, 'slipway_commit_duration_seconds_count')).toBeGreaterThan(2)
    expect(valueOf(text, 'slipway_build_info{version="1.2.3"}')).toBe(1)
    expect(valueOf(text, 'process_resident_memory_bytes')).toBeGreaterThan(1e6)
  })

  test('knows backups by the command, with the damaged files found', async ({ server }) => {
    const backups = commandBackupIn(server.dataDir)
    const at = '2026-11-20T03:15:00.000Z'
    const [good, damaged] = ['slipway_last_backup_timestamp_seconds', 'slipway_damaged_files']
    await backups.write({ at, problems: [] })
    const before = await metricsOf(server)
    expect([good, damaged].map((it) => valueOf(before, it))).toEqual([Date.parse(at) / 1000, 0])
    await backups.write({ at, problems: ['one.bin: its bytes differ from the upload'] })
    const after = await metricsOf(server)
    expect([good, damaged].map((it) => valueOf(after, it))).toEqual([0, 1])
  })

  test('counts the bytes of an upload while it runs', async ({ server }) => {
    const key = await server.keyOf(await aUser(server, 'alice'))
    const client = await RawClient.connect(server.port)
    const headers = {
      'X-API-Key': key,
      'Content-Type': 'application/octet-stream',
      'Content-Length': '200000',
    }
    client.head(server.port, 'PUT /api/files/upload/half.bin', headers)
    client.write(Buffer.alloc(100_000))

    await expect
      .poll(async () => valueOf(await metricsOf(server), 'slipway_received_bytes_total'))
      .toBeGreaterThan(100_000)
    const text = await metricsOf(server)
    expect(valueOf(text, 'slipway_transfers_running{direction="upload"}')).toBe(1)
    client.close()
  })

  test('counts failed sign-ins and refused keys', async ({ server }) => {
    await aUser(server, 'alice')
    await server.fetch('/api/auth/login', json('POST', { username: 'alice', password: 'wrong' }))
    await server.fetch('/api/files/my-files', { headers: { 'x-api-key': 'apk_made_up' } })
    await server.fetch('/api/files/my-files')

    const name = 'slipway_sign_in_failures_total'
    const failures = async () =>
      ['password', 'api_key'].map(async (by) =>
        valueOf(await metricsOf(server), `${name}{by="${by}"}`),
      )
    await expect.poll(async () => Promise.all(await failures())).toEqual([1, 1])
  })

  const limited = test.extend({
    config: { metrics: here, rateLimits: true },
    settings: { requests_per_hour: 1 },
  })
  limited('counts requests beyond the rate limit', async ({ server }) => {
    for (let time = 0; time < 3; time++) await server.fetch('/api/projects')

    await expect
      .poll(async () => valueOf(await metricsOf(server), 'slipway_rate_limited_requests_total'))
      .toBe(2)
  })

  test('tells the state of the bucket', async ({ server }) => {
    const { publicCopies } = server.inside
    expect(valueOf(await metricsOf(server), 'slipway_bucket_copies{state="there"}')).toBe(0)
    const view = publicCopies.view()
    const month = { month: '2026-11', redirects: 3, redirected_bytes: 600, copied_bytes: 200 }
    publicCopies.view = () => ({
      ...view,
      state: 'failing',
      copies: { ...view.copies, wanted: 2, there: 1 },
      month,
    })

    const text = await metricsOf(server)
    const names = ['copies{state="wanted"}', 'copies{state="there"}', 'failing', 'redirects_total']
    expect(names.map((name) => valueOf(text, `slipway_bucket_${name}`))).toEqual([2, 1, 1, 3])
    expect(valueOf(text, 'slipway_bucket_redirected_bytes_total')).toBe(600)
  })

  test('says that nothing can be saved, and still answers without its disk', async ({ server }) => {
    await server.inside.library.close()
    server.inside.blobs.free = () => Promise.reject(new Error('no disk'))

    const text = await metricsOf(server)
    expect(valueOf(text, 'slipway_read_only')).toBe(1)
    expect(text).toMatch(/^slipway_disk_free_bytes nan$/im)
  })
})

const idle = base.extend({ config: { metrics: here, idleLookMs: 20 } })
idle(
  'reads stored files each day, names damaged ones, and continues after a kill',
  async ({ server, alice, log }) => {
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      await aFile(server, alice, { filename: `${n}.bin` })
      ids.push(...(await blobIdsIn(server.dataDir)).filter((id) => !ids.includes(id)))
    }
    const [first = '', , third = ''] = ids.sort()
    const check = openByteCheck(server.dataDir)
    await expect.poll(async () => (await check.read())?.isDone).toBe(true)

    // As after kill -9 on the next day, behind the first blob.
    await server.close()
    for (const id of [first, third]) await writeFile(blobPath(server.dataDir, id), 'other bytes')
    server.clock.advance(DAY_MS)
    const day = server.clock.now().toISOString().slice(0, 10)
    await check.write({ day, isDone: false, bytes: 0, after: first })
    const running = await server.restart()
    const damaged = async () => valueOf(await metricsOf(running), 'slipway_damaged_files')
    await expect.poll(() => log.takeErrors()).toMatchObject([{ blobId: third }])
    expect(await damaged()).toBe(1)

    server.clock.advance(DAY_MS)
    await expect.poll(damaged).toBe(2)
    expect(log.takeErrors()).toMatchObject([{ blobId: first }])
  },
)

describe('at the main port', () => {
  test('answers only with the token', async ({ server }) => {
    const without = await server.fetch('/metrics')
    expect(without.headers.get('www-authenticate')).toBe('Bearer')
    expect(await replyOf(without)).toEqual(problem('sign_in_required'))
    const wrong = { headers: { authorization: `Bearer ${TOKEN.slice(0, -1)}x` } }
    expect((await server.fetch('/metrics', wrong)).status).toBe(401)

    const right = await server.fetch('/metrics', bearer)
    expect([right.status, right.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(right.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
    expect((await server.fetch('/metrics', { ...bearer, method: 'POST' })).status).toBe(404)
  })

  test('does not exist outside, with the token either', async ({ server }) => {
    const outside = await openOutside(server)

    expect((await outside.https(`${outside.origin}/metrics`, bearer)).status).toBe(404)
    expect((await outside.https(`${outside.origin}/metrics`)).status).toBe(404)
  })

  base('does not exist while metrics are off', async ({ server }) => {
    expect((await server.fetch('/metrics', bearer)).status).toBe(404)
  })
})

/** A server whose metrics have a port of their own. */
const ownPort = async (server: TestServer, token?: string) => {
  const metrics = { host: '127.0.0.1', port: 0, token }
  const running = await server.restart({ dataDir: `${server.dataDir}-measured`, metrics })
  return { running, url: running.metricsUrl ?? '' }
}

describe('at a port of their own', () => {
  base('answer there, not at the main port, until the host stops', async ({ server }) => {
    const { running, url } = await ownPort(server)
    expect(await (await fetch(url)).text()).toContain('slipway_files 0')
    expect((await fetch(new URL('/', url))).status).toBe(404)
    expect((await fetch(`${running.url}/metrics`)).status).toBe(404)

    await running.close()
    await expect(fetch(url)).rejects.toThrow()
  })

  base('refuse a name that a web page could have brought (DNS rebinding)', async ({ server }) => {
    const { url } = await ownPort(server)
    const port = Number(new URL(url).port)
    const statusFor = async (name: string) => {
      const client = await RawClient.connect(port)
      const { status } = await client.head(port, 'GET /metrics', { Host: name }).reply()
      client.close()
      return status
    }

    expect(await statusFor(`rebound.example:${port}`)).toBe(421)
    expect(await statusFor(`localhost:${port}`)).toBe(200)
  })

  base('ask for the token there too, if there is one', async ({ server }) => {
    const { url } = await ownPort(server, TOKEN)

    expect((await fetch(url)).status).toBe(401)
    expect((await fetch(url, bearer)).status).toBe(200)
  })
})
