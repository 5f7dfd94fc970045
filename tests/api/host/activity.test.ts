import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { activity as contract, type Activity } from '../../../server/contract/host/activity'
import { aFile } from '../../support/world/factories'
import { opened } from '../../support/network/http-get'
import { slowUpload } from '../../support/network/slow-upload'
import { test as base } from '../../support/world/http'
import { uploadForm } from '../../support/world/upload'

/** Larger than the socket buffers of both sides. */
const bytes = randomBytes(30_000_000)

/** A public file of alice that takes a while. */
const test = base.extend<{ path: string }>({
  path: async ({ server, alice }, use) => {
    const file = await aFile(server, alice, { bytes, is_public: true, filename: 'large.zip' })
    await use(`/api/files/${file.file_id}/download`)
  },
})

/** Polls until it is true. */
async function until<T>(ask: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask()
    if (holds(value)) return value
    await pause(20)
  }
}

describe('activity.now', () => {
  test('shows who downloads what, and what has ended', async ({ server, atWindow, path }) => {
    const { client } = atWindow
    const alice = server.user('alice')
    const [visitor, owner] = [
      await opened(server, path),
      await opened(server, path, { 'x-api-key': await server.keyOf(alice) }),
    ]

    const { activity } = await client.activity.now({})
    const cargo = {
      direction: 'download',
      filename: 'large.zip',
      address: '127.0.0.1',
      size: bytes.length,
    }
    expect(activity.transfers).toMatchObject([
      { ...cargo, who: null },
      { ...cargo, who: 'alice' },
    ])
    expect(activity.transfers.every(({ bytes: sent }) => sent > 0 && sent < bytes.length)).toBe(
      true,
    )
    expect(activity.totals).toMatchObject({ downloads: 2, uploads: 0, downloaders: 2 })
    expect(activity.sharing).toBe(false)
    expect(activity.disk.free).toBeLessThan(activity.disk.total)

    owner.resume()
    visitor.destroy()
    const { activity: later } = await until(
      () => client.activity.now({}),
      ({ activity: now }) => now.transfers.length === 0,
    )
    const outcomes = later.recent.filter(({ direction }) => direction === 'download')
    expect(new Set(outcomes.map(({ who, outcome }) => `${who ?? 'visitor'} ${outcome}`))).toEqual(
      new Set(['alice done', 'visitor broken']),
    )
    expect(later.totals).toEqual({ downloads: 0, uploads: 0, downloaders: 0, speed: 0 })
  })

  test('shows an upload while it runs, with its name', async ({ server, atWindow, alice }) => {
    const { finish, status } = slowUpload(server, { 'x-api-key': await server.keyOf(alice) })
    const ask = () => atWindow.client.activity.now({})
    const { activity } = await until(ask, ({ activity: now }) => now.transfers.length === 1)
    expect(activity.transfers).toMatchObject([{ direction: 'upload', who: 'alice', size: null }])

    finish()
    expect(await status).toBe(201)
    const ended = await until(ask, ({ activity: now }) => now.recent.length === 1)
    expect(ended.activity.recent).toMatchObject([
      { filename: 'slow.bin', who: 'alice', outcome: 'done' },
    ])
  })

  test('a file that is smaller than what travels around it has its bytes, too', async ({
    server,
    atWindow,
    alice,
  }) => {
    const headers = { 'x-api-key': await server.keyOf(alice) }
    await server.fetch('/api/files/upload/tiny.bin', { method: 'PUT', headers, body: 'tiny' })
    const body = uploadForm(new File(['few'], 'form.bin'))
    await server.fetch('/api/files/upload', { method: 'POST', headers, body })
    const ask = () => atWindow.client.activity.now({})
    const { activity } = await until(ask, ({ activity: now }) => now.recent.length === 2)

    expect(activity.recent).toMatchObject([
      { filename: 'form.bin', bytes: 3, outcome: 'done' },
      { filename: 'tiny.bin', bytes: 4, outcome: 'done' },
    ])
  })

  test('shows consecutive parts as one transfer', async ({ server, atWindow, path }) => {
    for (const range of ['bytes=0-99', 'bytes=100-199', 'bytes=200-299']) {
      await (await server.fetch(path, { headers: { range } })).arrayBuffer()
    }
    const { activity } = await until(
      () => atWindow.client.activity.now({}),
      ({ activity: now }) => (now.recent[0]?.bytes ?? 0) >= 300 && now.transfers.length === 0,
    )

    expect(activity.recent.filter(({ direction }) => direction === 'download')).toMatchObject([
      { filename: 'large.zip', outcome: 'done' },
    ])
  })

  test('what moves nothing is not listed', async ({ server, atWindow, path }) => {
    await server.fetch(path, { method: 'HEAD' })
    await server.fetch(path, { headers: { range: 'bytes=99999999-' } })
    await server.fetch('/api/files/upload', { method: 'POST', body: 'x' })
    const { activity } = await atWindow.client.activity.now({})

    expect(activity.recent.filter(({ direction }) => direction === 'download')).toEqual([])
    expect(activity.transfers).toEqual([])
  })
})

describe('activity.cut', () => {
  test('ends a transfer at once', async ({ server, atWindow, path }) => {
    const { client } = atWindow
    const response = await opened(server, path)
    const [transfer] = (await client.activity.now({})).activity.transfers
    const cut = new Promise((resolve) => response.once('error', resolve))
    await client.activity.cut({ id: transfer!.transfer_id })

    response.resume()
    await cut
    const { activity } = await until(
      () => client.activity.now({}),
      ({ activity: now }) => now.transfers.length === 0,
    )
    expect(activity.recent[0]).toMatchObject({ filename: 'large.zip', outcome: 'cut' })
  })
})

describe('activity.events', () => {
  /** The activities of an event stream, as they arrive. */
  async function* eventsOf({ body }: Response): AsyncGenerator<Activity> {
    let text = ''
    for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
      text += chunk
      const events = text.split('\n\n')
      text = events.pop() ?? ''
      for (const [, data] of events.map((it) => /^event: activity\ndata: (.*)$/.exec(it) ?? [])) {
        if (data !== undefined) yield contract.events.reply.parse(JSON.parse(data)).activity
      }
    }
  }

  test('sends the state at once, then every change, and ends with the server', async ({
    server,
    atWindow,
    path,
  }) => {
    const response = await atWindow.browser.fetch('/api/host/events')
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = eventsOf(response)
    expect((await events.next()).value).toMatchObject({ totals: { downloads: 0 } })

    const download = await opened(server, path)
    await until(
      () => events.next(),
      ({ value }) => (value as Activity).totals.downloads === 1,
    )
    download.destroy()
    await until(
      () => events.next(),
      ({ value }) => (value as Activity).totals.downloads === 0,
    )
    await server.close()
    expect((await events.next()).done).toBe(true)
  })

  test('a stream ends when its session does', async ({ server, atWindow, path }) => {
    const events = eventsOf(await atWindow.browser.fetch('/api/host/events'))
    await events.next()
    await server.inside.sessions.endAll(server.user('host').id)
    const download = await opened(server, path)

    expect((await events.next()).done).toBe(true)
    download.destroy()
  })
})
