import { beforeAll, describe, expect } from 'vitest'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../support/bucket/engine'
import { bytes, FILENAME, redirectingTest } from '../../support/bucket/redirecting'
import { MINUTE } from '../../support/world/test-clock'

let engine: Engine
beforeAll(async () => void (engine = await sharedEngine()))
const test = redirectingTest(() => engine)

const SIZE = bytes.length
const read = async (response: Response) => Buffer.from(await response.arrayBuffer())

describe.skipIf(noEngine)(withEngine('downloads from a bucket'), () => {
  test('redirects a visitor from outside, who gets the same file by the same name', async ({
    server,
    copied,
  }) => {
    const { ask, path } = copied
    const redirect = await ask(path)
    const address = redirect.headers.get('location') ?? ''

    expect(redirect.status).toBe(302)
    expect(address.startsWith(engine.endpoint)).toBe(true)
    expect(Object.fromEntries(redirect.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-length': '0',
    })
    expect(redirect.headers.get('set-cookie')).toBeNull()
    const [there, here] = [await fetch(address), await server.fetch(path)]
    expect((await read(there)).equals(bytes)).toBe(true)
    expect((await read(here)).equals(bytes)).toBe(true)
    expect(there.headers.get('content-type')).toBe(here.headers.get('content-type'))
    for (const { headers } of [there, here])
      expect(
        decodeURIComponent(
          /filename\*=UTF-8''(.*)/.exec(headers.get('content-disposition') ?? '')?.[1] ?? '',
        ),
      ).toBe(FILENAME)
  })

  test('redirects all but caches, testers and zips', async ({
    server,
    copied: { ask, path, fileId, downloads },
  }) => {
    const file = server.inside.files.find(fileId)!
    const { client } = await server.signedIn(server.user('alice'))
    const { url: link } = await client.testers.create({
      id: 'rocket',
      name: 'Testers',
      channel: 'stable',
    })
    const redirected = [
      path,
      `/api/files/${fileId}/download`,
      `/api/files/public/alice/${fileId}/download`,
      `/api/projects/rocket/downloads/${fileId}/download`,
      `/api/projects/rocket/latest/${encodeURIComponent(FILENAME)}`,
      `/p/rocket/feeds/electron/1.0/${encodeURIComponent(FILENAME)}`,
      `${path}?from=newsletter`,
    ]
    const sent = [
      `/api/files/public/alice/${fileId}/${file.sha256}/download`,
      '/api/projects/rocket/download',
      '/api/projects/rocket/SHA256SUMS',
      `${path}?from=host`,
      `/api/files/${fileId}/download?from=host`,
      `${new URL(link).pathname}/releases/1.0/${encodeURIComponent(FILENAME)}`,
    ]
    const status = async (of: string) => {
      const response = await ask(of)
      await response.body?.cancel()
      return response.status
    }

    expect(await Promise.all(redirected.map(status))).toEqual(redirected.map(() => 302))
    expect(await Promise.all(sent.map(status))).toEqual(sent.map(() => 200))
    const latest = await ask('/p/rocket/latest/android?from=host')
    expect(latest.headers.get('location')).toBe(`${path}?from=host`)
    expect(downloads()).toBe(1)
  })

  test('the bucket sends ranges as the host would, and no HEAD', async ({
    copied: { ask, follow, path },
  }) => {
    for (const [range, start, end] of [
      ['bytes=-1000', SIZE - 1000, SIZE],
      ['bytes=-99999999999', 0, SIZE],
      ['bytes=16777210-16777219', 16777210, 16777220],
      [`bytes=${SIZE - 5}-99999999999`, SIZE - 5, SIZE],
    ] as const) {
      const part = await follow(path, { range })
      expect([part.status, part.headers.get('content-range')]).toEqual([
        206,
        `bytes ${start}-${end - 1}/${SIZE}`,
      ])
      expect((await read(part)).equals(bytes.subarray(start, end)), range).toBe(true)
    }
    expect((await ask(path, {}, 'HEAD')).status).toBe(200)
    expect((await ask(path, { range: `bytes=${SIZE}-` })).status).toBe(416)
    expect((await ask(path, { 'if-match': '"x"' })).status).toBe(412)
  })

  test('what began at the bucket continues by its ETag', async ({
    server,
    copied: { follow, ask, path },
  }) => {
    const begun = await follow(path)
    await begun.body?.cancel()
    const etag = begun.headers.get('etag') ?? ''
    // Firefox sends these to the first address.
    const firefox = {
      'if-match': etag,
      'if-unmodified-since': begun.headers.get('last-modified') ?? '',
    }
    for (const condition of [{ 'if-range': etag }, firefox]) {
      const rest = await follow(path, { range: 'bytes=5000000-', ...condition })
      expect(rest.status).toBe(206)
      expect((await read(rest)).equals(bytes.subarray(5_000_000)), 'the rest of the file').toBe(
        true,
      )
    }
    await engine.kill()
    await expect
      .poll(async () => {
        server.clock.advance(MINUTE)
        const { status, body } = await ask(path, { range: 'bytes=0-0' })
        await body?.cancel()
        return status
      })
      .toBe(206)

    for (const condition of [{ 'if-range': etag }, firefox]) {
      const rest = await ask(path, { range: 'bytes=5000000-', ...condition })
      expect([rest.status, rest.headers.get('etag')]).toEqual([206, etag])
      expect((await read(rest)).equals(bytes.subarray(5_000_000))).toBe(true)
    }
    expect((await ask(path, { 'if-none-match': etag })).status).toBe(304)
    await engine.revive()
  })

  test('counts a download at its last byte', async ({
    copied: { ask, path, downloads },
    server,
    clock,
  }) => {
    const step = SIZE / 8
    await ask(path, {}, 'HEAD')
    await ask(path, { range: 'bytes=0-0' })
    await ask(path, { range: 'bytes=-1000' })
    const counts = [downloads()]
    for (let n = 0; n < 8; n++) {
      await ask(path, { range: `bytes=${n * step}-${(n + 1) * step - 1}` })
      if (n === 0) counts.push(downloads())
    }
    counts.push(downloads())
    await ask(path)
    counts.push(downloads())
    await ask(path, { 'user-agent': 'another' })
    counts.push(downloads())
    clock.advance(31 * MINUTE)
    await ask(path)
    counts.push(downloads())

    expect(counts).toEqual([0, 0, 1, 1, 2, 3])
    const { redirects, redirected_bytes } = server.inside.publicCopies.view().month
    expect([redirects, redirected_bytes]).toEqual([13, 4 * SIZE + 1001])
  })

  test('the page offers the host until the bucket is switched off', async ({ server, copied }) => {
    const page = async (url: string) => (await fetch(`${url}/p/rocket`)).text()
    const href = `${copied.path}?from=host`
    const asApp = (url: string) =>
      fetch(`${url}/api/projects/slug/rocket`).then(
        (it) => it.json() as Promise<{ page: { from_bucket: string[] } }>,
      )

    expect(await page(copied.url)).toContain(`href="${href}"`)
    expect(await page(copied.url)).toContain('counted when handed to the bucket')
    expect(await page(server.url)).not.toMatch(/from=host|bucket/)
    expect((await asApp(copied.url)).page.from_bucket).toEqual([copied.fileId])
    expect((await asApp(server.url)).page.from_bucket).toEqual([])
    await server.inside.publicCopies.switchOff('keep')
    expect(await page(copied.url)).not.toContain('from=host')
  })
})
