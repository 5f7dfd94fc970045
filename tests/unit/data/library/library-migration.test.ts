import { appendFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { encodeLine } from '../../../../server/data/library/journal/log-line'
import type { Migrations } from '../../../../server/data/library/journal/migrations'
import { Library, LibraryTooNewError } from '../../../../server/data/library/library'
import { MIGRATIONS, SCHEMA } from '../../../../server/data/library/schema'
import { diskError, RehearsalDisk } from './rehearsal-disk'
import {
  collectionAs,
  openLibrary,
  putNotes,
  silentLog,
  type Note,
} from '../../../support/data/temp-library'
import { tempDir } from '../../../support/system/temp-dir'

const shout: Migrations = {
  2: ({ collections }) => {
    for (const [id, value] of collections.posts)
      collections.posts.set(id, { ...value, text: (value as Note).text.toUpperCase() })
  },
  3: ({ collections, counters }) => void counters.set('posts', collections.posts.size),
}
/** The library after a later Slipway has changed it. */
const NEWER = SCHEMA + 1
const newerOnes = { schema: NEWER, migrations: { ...MIGRATIONS, [NEWER]: () => undefined } }
const now = () => new Date('2026-01-02T03:04:05Z')
const COPY = 'before-schema-3-2026-01-02T03-04-05.000Z'

async function oldLibrary(): Promise<string> {
  const dir = await tempDir()
  const library = await openLibrary(dir, { schema: 1 })
  await putNotes(library, 'a')
  await library.checkpoint()
  await putNotes(library, 'b')
  await library.close()
  return dir
}

const texts = (library: Library) =>
  [...collectionAs<Note>(library, 'posts').values()].map(({ text }) => text)

test('migrations run in order, and a copy of the old library is kept', async () => {
  const dir = await oldLibrary()
  const files = (await readdir(dir)).sort()
  const before = await Promise.all(files.map((name) => readFile(join(dir, name))))
  const library = await openLibrary(dir, { schema: 3, migrations: shout, now })
  expect(texts(library)).toEqual(['TEXT OF A', 'TEXT OF B'])
  expect(library.counter('posts')).toBe(2)
  expect((await readdir(join(dir, COPY))).sort()).toEqual(files)
  expect(await Promise.all(files.map((name) => readFile(join(dir, COPY, name))))).toEqual(before)
})

test('a migrated library keeps what it is given, whether or not its first snapshot was taken', async () => {
  const dir = await oldLibrary()
  const disk = new RehearsalDisk()
  disk.before = (operation, path) => {
    if (operation === 'open' && path.includes('snapshot')) throw diskError('ENOSPC')
  }
  const migrated = await openLibrary(dir, { schema: 3, migrations: shout, now, disk })
  await putNotes(migrated, 'c')
  await migrated.close()
  for (let start = 0; start < 2; start++) {
    const library = await openLibrary(dir, { schema: 3, migrations: shout, now })
    expect(texts(library)).toEqual(['TEXT OF A', 'TEXT OF B', 'text of c'])
    expect(library.counter('posts')).toBe(2)
    await library.checkpoint()
    await library.close()
  }
  expect((await readdir(dir)).filter((name) => name.startsWith('before-'))).toEqual([COPY])
})

test('the times of webhooks, which were ms since 1970, become text', async () => {
  const dir = await tempDir()
  const old = await openLibrary(dir, { schema: 14 })
  await old.transact((tx) => {
    tx.put(collectionAs(old, 'webhooks'), 'busy', { id: 'busy', restsUntil: 1_767_323_045_000 })
    tx.put(collectionAs(old, 'webhooks'), 'idle', { id: 'idle', restsUntil: 0 })
    tx.put(collectionAs(old, 'webhookDeliveries'), 'one', { id: 'one', nextTryAt: 1000 })
  })
  await old.close()

  const library = await openLibrary(dir)
  expect([...library.collection('webhooks').values()]).toEqual([
    { id: 'busy', restsUntil: '2026-01-02T03:04:05.000Z' },
    { id: 'idle', restsUntil: null },
  ])
  expect(library.collection('webhookDeliveries').get('one')).toMatchObject({
    nextTryAt: '1970-01-01T00:00:01.000Z',
  })
})

test('a library of a newer schema is refused and left alone', async () => {
  const dir = await oldLibrary()
  const newer = await openLibrary(dir, { ...newerOnes, now })
  await newer.checkpoint()
  await newer.close()
  const before = await readdir(dir)
  await expect(Library.open({ dir, log: silentLog })).rejects.toThrow(LibraryTooNewError)
  await expect(Library.open({ dir, log: silentLog })).rejects.toThrow(`has schema ${NEWER}`)
  const copy = before.find((name) => name.startsWith(`before-schema-${NEWER}-`))
  await expect(Library.open({ dir, log: silentLog })).rejects.toThrow(
    `put back ${join(dir, copy!)}`,
  )
  expect(await readdir(dir)).toEqual(before)
})

test('a newer log without snapshot is refused as well', async () => {
  const dir = await tempDir()
  await (await openLibrary(dir, newerOnes)).close()
  await expect(Library.open({ dir, log: silentLog })).rejects.toThrow(LibraryTooNewError)
})

test('a migration that is missing is refused, and nothing has changed', async () => {
  const dir = await oldLibrary()
  const before = await readFile(join(dir, 'library.2.log'))
  await expect(
    Library.open({ dir, log: silentLog, schema: 4, migrations: shout, now }),
  ).rejects.toThrow('schema 4')
  expect(await readFile(join(dir, 'library.2.log'))).toEqual(before)
  expect(await readdir(dir)).not.toContain('library.3.log')
})

test('refuses an unknown step, even with a right checksum', async () => {
  const dir = await tempDir()
  await (await openLibrary(dir)).close()
  await appendFile(join(dir, 'library.1.log'), encodeLine(2, '[["put","comments","a",{}]]'))
  await expect(Library.open({ dir, log: silentLog })).rejects.toThrow('contains an unknown step')
})
