import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { aFile, aLink, aProject, aUser } from '../../support/world/factories'
import { leaveAfter, opened } from '../../support/network/http-get'
import { problem, replyOf } from '../../support/network/reply'
import { test as base } from '../../support/world/http'

/** More than the buffers of a connection hold, so that an unread zip stays unfinished. */
const bytes = randomBytes(12_000_000)

const limited = base.extend({
  config: { rateLimits: true },
  settings: { transfers_per_address: 2 },
})

/**
 * Two public projects: one is slow to download, the files of the other have to be read before a zip
 * of them begins.
 */
const test = limited.extend<{ made: { slow: string; old: string; oldId: string } }>({
  made: async ({ server }, use) => {
    const owner = await aUser(server, 'alice')
    const slow = await aProject(server, owner, { title: 'Slow', is_public: true })
    const old = await aProject(server, owner, { title: 'Old', is_public: true })
    await aLink(server, owner, slow, await aFile(server, owner, { bytes, is_public: true }))
    const file = await aFile(server, owner, { is_public: true })
    await aLink(server, owner, old, file)
    const path = (slug: string) => `/api/projects/${slug}`
    await use({ slow: path(slow.slug), old: path(old.slug), oldId: file.file_id })
  },
})

test('zips and lists of digests share the transfers of an address, and refusals are free', async ({
  server,
  made,
}) => {
  const running = await Promise.all([1, 2].map(() => opened(server, `${made.slow}/download`)))
  const calls = [
    `${made.old}/download`,
    `${made.old}/SHA256SUMS`,
    `/api/files/zip/download?ids=${made.oldId}`,
  ]
  for (const path of calls) {
    const [got, head] = [await server.fetch(path), await server.fetch(path, { method: 'HEAD' })]
    expect([got.headers.get('retry-after'), head.headers.get('retry-after'), head.status]).toEqual([
      '10',
      '10',
      429,
    ])
    expect(await replyOf(got)).toEqual(problem('too_many_requests'))
  }
  expect(
    server.inside.files.find(made.oldId)?.crc32,
    'the file was read for a refused zip',
  ).toBeUndefined()

  running[0]?.destroy()
  await expect
    .poll(async () => (await server.fetch(`${made.old}/download`, { method: 'HEAD' })).status)
    .toBe(200)
  expect(
    server.inside.files.find(made.oldId)?.crc32,
    'the file was read for a HEAD',
  ).toBeUndefined()
  running[1]?.destroy()
})

test('zips that end, fail or are left give their place back', async ({ server, made }) => {
  for (let n = 0; n < 3; n++) {
    await leaveAfter(await opened(server, `${made.slow}/download`), 1000)
    await expect.poll(() => server.inside.transfers.count).toBe(0)
    expect((await server.fetch('/api/projects/nothing/download')).status).toBe(404)
    expect((await server.fetch('/api/files/zip/download?ids=NoSuchFile000000')).status).toBe(404)
    expect((await server.fetch(`${made.old}/SHA256SUMS`, { method: 'HEAD' })).status).toBe(200)
  }
  expect((await server.fetch(`${made.old}/download`, { method: 'HEAD' })).status).toBe(200)
})
