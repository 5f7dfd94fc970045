import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../../../server/core/clock'
import { takeOutInvalid } from '../../../../server/data/repair/check-records'
import { readLibrary } from '../../../../server/data/library/read-library'
import { CopyStore, placeOf, type CopyOfFile } from '../../../../server/features/bucket/copy-store'
import { TestClock } from '../../../support/world/test-clock'
import { openLibrary } from '../../../support/data/temp-library'
import { tempDir } from '../../../support/system/temp-dir'

const PLACE = placeOf({ endpoint: 'https://s3.example', bucket: 'builds', prefix: 'slipway/' })
const part = (n: number) => ({
  md5: String(n).padStart(32, '0'),
  etag: `"${String(n).padStart(32, '0')}"`,
})
const file = (blobId: string, size = 100): CopyOfFile => {
  return {
    blobId,
    fileId: `file-of-${blobId}`,
    filename: 'rocket.apk',
    size,
    sha256: 'a'.repeat(64),
  }
}
const BLOB = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'

async function aStore() {
  const dir = await tempDir()
  const clock = new TestClock()
  const library = await openLibrary(dir)
  return { dir, clock, library, store: new CopyStore(library, clock) }
}

test('a copy keeps its parts until it is whole, also across a restart', async () => {
  const { dir, library, store, clock } = await aStore()
  await store.begin(file(BLOB), PLACE)
  await store.keepParts(BLOB, 'upload 1', [part(1), part(2)])
  await library.close()
  const again = new CopyStore(await openLibrary(dir), clock)
  const resumed = await again.begin(file(BLOB), PLACE)
  expect(resumed).toMatchObject({
    state: 'copying',
    uploadId: 'upload 1',
    parts: [part(1), part(2)],
  })
  expect(await again.finish(BLOB, '"whole-2"')).toBe(true)
  expect(again.find(BLOB)).toMatchObject({
    state: 'there',
    uploadId: null,
    parts: [],
    etag: '"whole-2"',
  })
  expect([again.count('there'), again.bytes('there'), again.count('copying')]).toEqual([1, 100, 0])
})

test('a revoked copy cannot become whole, and keeps the name of its unfinished upload', async () => {
  const { store } = await aStore()
  await store.begin(file(BLOB), PLACE)
  await store.keepParts(BLOB, 'upload 1', [part(1)])
  expect(await store.revoke(BLOB)).toBe(true)
  expect(await store.finish(BLOB, '"whole"')).toBe(false)
  await store.keepParts(BLOB, 'upload 2', [part(1), part(2)])
  expect(store.find(BLOB)).toMatchObject({ state: 'revoking', uploadId: 'upload 1', etag: null })
  expect(await store.lose(BLOB)).toBe(false)
  await store.forget([BLOB])
  expect(store.find(BLOB)).toBeUndefined()
})

test('failures are written down once, and the next part ends them', async () => {
  const { store, clock } = await aStore()
  await store.begin(file(BLOB), PLACE)
  await store.recordFailure(BLOB)
  const since = clock.now().toISOString()
  clock.advance(5000)
  await store.recordFailure(BLOB)
  expect(store.find(BLOB)?.failingSince).toBe(since)
  await store.keepParts(BLOB, 'upload 1', [part(1)])
  expect(store.find(BLOB)?.failingSince).toBeNull()
})

test('the owner learns that copying fails after a day, and at once that a copy could not be deleted', async () => {
  const { store, clock } = await aStore()
  await store.begin(file(BLOB), PLACE)
  await store.recordFailure(BLOB)
  clock.advance(DAY_MS - 1)
  expect(store.stateOf(BLOB)).toBe('copying')
  clock.advance(1)
  expect(store.stateOf(BLOB)).toBe('failed')
  await store.revoke(BLOB)
  expect(store.stateOf(BLOB)).toBe('revoking')
  await store.recordFailure(BLOB)
  expect(store.stateOf(BLOB)).toBe('late')
})

test('one part of the largest file writes less than 16 kB', async () => {
  const { dir, store } = await aStore()
  const parts = Array.from({ length: 128 }, (_, n) => part(n))
  await store.begin(file(BLOB, 2e9), PLACE)
  const before = (await readFile(join(dir, 'library.1.log'))).length
  await store.keepParts(BLOB, 'x'.repeat(100), parts)
  expect((await readFile(join(dir, 'library.1.log'))).length - before).toBeLessThan(16_000)
})

test('records pass the check of untrusted libraries in each state', async () => {
  const { dir, store } = await aStore()
  for (const [index, end] of ['copying', 'there', 'damaged', 'revoking'].entries()) {
    const blobId = String(index).repeat(32)
    await store.begin({ ...file(blobId), fileId: `file-number-${index}` }, PLACE)
    await store.keepParts(blobId, '2~upload', [part(1)])
    if (end === 'there') await store.finish(blobId, '"etag-1"')
    if (end === 'damaged') await store.damage(blobId)
    if (end === 'revoking') await store.revoke(blobId)
    expect(store.find(blobId)?.state).toBe(end)
  }
  const { data } = await readLibrary(dir)
  expect(takeOutInvalid(data)).toEqual([])
  expect(data.collections.mirrored.size).toBe(4)
})

test('names each bucket and prefix differently', () => {
  const other = placeOf({ endpoint: 'https://s3.example', bucket: 'builds', prefix: '' })
  expect([PLACE, other]).toEqual([
    expect.stringMatching(/^[\w-]{12}$/),
    expect.stringMatching(/^[\w-]{12}$/),
  ])
  expect(PLACE).not.toBe(other)
})

test('only copies and parts of them tie the host to a bucket', async () => {
  const { store } = await aStore()
  expect(store.someCopy()).toBeUndefined()
  await store.begin(file(BLOB), PLACE)
  expect(store.isElsewhere('another')).toBe(false)

  await store.keepParts(BLOB, 'upload 1', [])
  expect(store.isElsewhere('another')).toBe(true)
  expect(store.isElsewhere(PLACE)).toBe(false)
  expect(store.someCopy()).toBeUndefined()

  await store.finish(BLOB, '"whole"')
  expect(store.isElsewhere('another')).toBe(true)
  expect(store.someCopy()).toBe(BLOB)
})
