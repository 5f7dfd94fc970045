import { expect, test } from 'vitest'
import { WantedFiles } from '../../../../server/features/bucket/copying/wanted-files'
import { collectionAs, openLibrary } from '../../../support/data/temp-library'
import type { FileRecord } from '../../../../server/data/records/file-records'
import { tempDir } from '../../../support/system/temp-dir'

const aFile = (id: string, more: Partial<FileRecord> = {}): FileRecord => ({
  id,
  ownerId: 'alice',
  blobId: `blob-${id}`,
  filename: 'rocket.apk',
  size: 100,
  sha256: 'a'.repeat(64),
  isPublic: true,
  version: null,
  uploadedAt: '2030-01-01T00:00:00.000Z',
  ...more,
})

async function aWorld() {
  const library = await openLibrary(await tempDir())
  const files = library.collection('files')
  const withheld = new Set<string>()
  const changes: string[] = []
  const wanted = new WantedFiles({
    library,
    isWithheld: (fileId) => withheld.has(fileId),
    filesOfRelease: () => ['a'],
    changed: (blobId) => changes.push(`${blobId} ${wanted.find(blobId) ? 'wanted' : 'gone'}`),
  })
  const put = (file: FileRecord) => library.transact((tx) => tx.put(files, file.id, file))
  return { library, files, withheld, changes, wanted, put }
}

test('selects public files of the minimum size or larger, and reports each change once', async () => {
  const { put, wanted, changes, library, files } = await aWorld()
  await put(aFile('a'))
  await put(aFile('b', { isPublic: false }))
  await put(aFile('c', { size: 49 }))
  await wanted.start(50)
  expect([...wanted.values()].map(({ id }) => id)).toEqual(['a'])
  await put(aFile('b'))
  await put(aFile('a', { isPublic: false }))
  await put(aFile('a', { isPublic: false, filename: 'other' }))
  await library.transact((tx) => tx.delete(files, 'b'))

  expect(changes).toEqual(['blob-a wanted', 'blob-b wanted', 'blob-a gone', 'blob-b gone'])
  expect([wanted.count, wanted.bytes]).toEqual([0, 0])
})

test('answers by the records of this moment, before a change is on disk', async () => {
  const { put, wanted } = await aWorld()
  const file = aFile('a')
  await put(file)
  await wanted.start(50)
  expect(wanted.isWanted(file)).toBe(true)
  const changing = put(aFile('a', { isPublic: false }))

  expect(wanted.isWanted(file)).toBe(false)
  await changing
})

test('looks at the outcome of a transaction, not at its steps', async () => {
  const { put, wanted, changes, library, files } = await aWorld()
  await put(aFile('a'))
  await wanted.start(50)
  await library.transact((tx) => {
    tx.delete(files, 'a')
    tx.put(files, 'a', aFile('a'))
  })

  expect(changes).toEqual(['blob-a wanted'])
})

test('follows releases that withhold a file', async () => {
  const { put, wanted, changes, library, withheld } = await aWorld()
  await put(aFile('a'))
  await wanted.start(50)
  const releases = collectionAs<{ state: string }>(library, 'releases')
  for (const state of ['published', 'withdrawn', 'published']) {
    withheld.clear()
    if (state === 'withdrawn') withheld.add('a')
    await library.transact((tx) => tx.put(releases, 'r', { state }))
  }

  expect(changes).toEqual(['blob-a wanted', 'blob-a gone', 'blob-a wanted'])
})

test('wants nothing after it was stopped', async () => {
  const { put, wanted, changes } = await aWorld()
  const file = aFile('a')
  await put(file)
  await wanted.start(50)
  wanted.stop()
  await put(aFile('b'))

  expect(wanted.count).toBe(0)
  expect(wanted.isWanted(file)).toBe(false)
  expect(changes).toEqual(['blob-a wanted'])
})
