import { describe, expect } from 'vitest'
import { aFile } from '../../support/world/factories'
import { opened } from '../../support/network/http-get'
import { RawClient } from '../../support/network/raw-client'
import { problem, replyOf } from '../../support/network/reply'
import { test } from '../../support/world/http'

describe('releases.download', () => {
  test('sends the bytes without a redirect, in ranges too, and counts a download', async ({
    server,
    alice,
    id,
  }) => {
    const file = await aFile(server, alice, {
      filename: 'Rocket 1.apk',
      bytes: '0123456789',
      is_public: true,
      version: '1.0',
      project_id: id,
    })
    const path = '/p/rocket/releases/1.0/Rocket%201.apk'
    const whole = await server.fetch(path, { redirect: 'error' })
    const part = await server.fetch(path, { headers: { range: 'bytes=2-3' } })
    const same = await server.fetch(path, {
      headers: { 'if-none-match': whole.headers.get('etag')! },
    })
    const head = await server.fetch(path, { method: 'HEAD' })

    expect(await whole.text()).toBe('0123456789')
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      etag: `"${file.sha256}"`,
      'content-type': 'application/vnd.android.package-archive',
      'content-disposition': 'attachment; filename="Rocket 1.apk"',
      'repr-digest': expect.stringContaining('sha-256=') as string,
      'cache-control': 'public, no-cache, no-transform',
      'content-security-policy': "sandbox; default-src 'none'",
    })
    expect([part.status, await part.text(), same.status]).toEqual([206, '23', 304])
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '10'])
    const { project } = await server.as(alice).projects.byId({ id })
    expect([project.downloads[0]?.downloads, project.stats.total_downloads]).toEqual([1, 1])
  })

  test('sends the newest file of a name', async ({ server, alice, id }) => {
    const same = { filename: 'rocket.apk', is_public: true, project_id: id }
    await aFile(server, alice, { ...same, version: '1.0', bytes: 'first' })
    await aFile(server, alice, { ...same, version: '1.0', bytes: 'second' })
    await aFile(server, alice, { ...same, version: '1.1', bytes: 'third' })

    expect(await (await server.fetch('/p/rocket/releases/1.0/rocket.apk')).text()).toBe('second')
  })

  test('finds hostile versions and names by exact text', async ({ server, alice, id }) => {
    const versions = ['../x', '1.0 beta/2', '9'.repeat(64), '%2e%2e', 'ü 🚀', '<script>', 'latest']
    for (const version of versions) {
      await aFile(server, alice, {
        filename: 'a+b%.apk',
        project_id: id,
        version,
        is_public: true,
        bytes: version,
      })
    }
    for (const version of versions) {
      const path = `/p/rocket/releases/${encodeURIComponent(version)}`
      expect(await (await server.fetch(`${path}/a%2Bb%25.apk`)).text()).toBe(version)
      expect((await server.fetch(path)).headers.get('content-type')).toBe(
        'text/html; charset=utf-8',
      )
    }
    for (const path of [
      '/p/rocket/releases/..%2fx%2f/a',
      '/p/rocket/releases/9/a',
      '/p/rocket/releases/%00/a%0a',
    ]) {
      expect(await replyOf(server.fetch(path))).toEqual(problem('not_found'))
    }
  })

  test('answers paths as they are sent', async ({ server, alice, id }) => {
    await aFile(server, alice, {
      filename: 'rocket.apk',
      project_id: id,
      version: '1.0',
      is_public: true,
    })
    for (const [path, status] of [
      ['/p/rocket/releases/../../api/host', 404],
      ['/p/rocket/releases//rocket.apk', 404],
      ['/p/rocket/releases/%2e%2e/rocket.apk', 404],
      ['/p/rocket/releases/', 200],
      ['/p/../rocket/latest', 404],
      ['/p/../latest', 400],
      ['/p/%zz/latest', 400],
    ] as const) {
      const raw = await RawClient.connect(server.port)
      const reply = await raw.head(server.port, `GET ${path}`, {}).reply()
      raw.close()
      expect.soft([path, reply.status]).toEqual([path, status])
    }
  })

  test('finishes downloads of a release that is withdrawn', async ({ server, alice, id }) => {
    const bytes = new Uint8Array(20_000_000).fill(7)
    await aFile(server, alice, {
      filename: 'big.apk',
      bytes,
      project_id: id,
      version: '1.0',
      is_public: true,
    })
    const path = '/p/rocket/releases/1.0/big.apk'
    const running = await opened(server, path)
    await server.as(alice).releases.withdraw({ id, version: '1.0' })
    let received = 0
    for await (const chunk of running) received += (chunk as Buffer).length

    expect(received).toBe(bytes.length)
    expect(await replyOf(server.fetch(path))).toEqual(problem('not_found'))
  })
})

test('the page of a release has an address of its own', async ({ server, alice, id }) => {
  const { title } = (await server.as(alice).projects.byId({ id })).project
  await aFile(server, alice, { project_id: id, version: '1.0 beta/2', is_public: true })
  const page = await server.fetch('/p/rocket/releases/1.0%20beta%2F2')
  const unknown = await server.fetch('/p/no-such-project/releases/1.0')

  expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  expect(await page.text()).toContain(`<title>${title} 1.0 beta/2 · Slipway</title>`)
  expect(unknown.status).toBe(404)
})
