import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LibraryReadOnlyError } from '../../../../server/data/library/library'
import { diskError, RehearsalDisk, type Operation } from './rehearsal-disk'
import {
  collectionAs,
  note,
  noteIds,
  openLibrary,
  putNotes,
  silentLog,
  type Note,
} from '../../../support/data/temp-library'
import { tempDir } from '../../../support/system/temp-dir'

const failing = (which: Operation, code: string) => (operation: Operation) => {
  if (operation === which) throw diskError(code)
}

test('a write that the disk shortens is continued until every byte is written', async () => {
  const dir = await tempDir()
  const disk = new RehearsalDisk()
  disk.taken = (length) => Math.min(length, 7)
  const library = await openLibrary(dir, { disk })
  await putNotes(library, 'a', 'b', 'ü€😀')
  await library.checkpoint()
  await putNotes(library, 'c')
  await library.close()
  expect(noteIds(await openLibrary(dir))).toEqual(['a', 'b', 'ü€😀', 'c'])
})

test('a disk that accepts no more bytes is an error, not an endless loop', async () => {
  const disk = new RehearsalDisk()
  const library = await openLibrary(await tempDir(), { disk })
  disk.taken = () => 0
  await expect(putNotes(library, 'a')).rejects.toMatchObject({ code: 'EIO' })
})

test.each<[Operation, string]>([
  ['write', 'ENOSPC'],
  ['datasync', 'EIO'],
])(
  'after a failed %s nothing is half there, and the library is read-only for good',
  async (operation, code) => {
    const dir = await tempDir()
    const disk = new RehearsalDisk()
    const errors: string[] = []
    const library = await openLibrary(dir, {
      disk,
      log: { ...silentLog, error: (_, message) => errors.push(message) },
    })
    const notes = collectionAs<Note>(library, 'posts')
    await library.transact((tx) => {
      tx.put(notes, 'kept', note('kept'))
      tx.setCounter('views', 1)
    })
    disk.before = failing(operation, code)
    const refused = [
      library.transact(
        (tx) => (tx.put(notes, 'kept', note('kept', 'changed')), tx.setCounter('views', 2)),
      ),
      library.transact(
        (tx) => (
          tx.delete(notes, 'kept'),
          tx.put(notes, 'new', note('new')),
          tx.delete(notes, 'new')
        ),
      ),
      library.transact(
        (tx) => (tx.put(notes, 'kept', note('kept', 'again')), tx.setCounter('views', undefined)),
      ),
    ]
    expect(notes.get('kept')?.text).toBe('again')
    for (const change of refused)
      await expect(change).rejects.toMatchObject({ name: 'LibraryReadOnlyError', code })
    disk.before = () => undefined
    expect([...notes.values()]).toEqual([note('kept')])
    expect(library.counter('views')).toBe(1)
    expect(library.readOnly).toBe(true)
    expect(errors).toHaveLength(1)
    await expect(library.transact(() => 1)).rejects.toBeInstanceOf(LibraryReadOnlyError)
    await expect(library.settled()).rejects.toBeInstanceOf(LibraryReadOnlyError)
    await expect(library.checkpoint()).rejects.toBeInstanceOf(LibraryReadOnlyError)
    library.count('views')
    await library.close()
    const reopened = await openLibrary(dir)
    expect([...reopened.collection('posts').values()]).toEqual([note('kept')])
    expect(reopened.counter('views')).toBe(1)
  },
)

test('never retries a failed sync', async () => {
  const disk = new RehearsalDisk()
  const library = await openLibrary(await tempDir(), { disk })
  let syncs = 0
  disk.before = (operation) => {
    if (operation === 'datasync' && ++syncs === 1) throw diskError('EIO')
  }
  await expect(putNotes(library, 'a')).rejects.toThrow('read-only')
  await expect(putNotes(library, 'b')).rejects.toThrow('read-only')
  expect(syncs).toBe(1)
})

test('a refused transaction does not come back at the next start, although its line was written', async () => {
  const dir = await tempDir()
  const disk = new RehearsalDisk()
  const library = await openLibrary(dir, { disk })
  await putNotes(library, 'kept')
  const before = await readFile(join(dir, 'library.1.log'))
  disk.before = failing('datasync', 'EIO')
  await expect(putNotes(library, 'refused')).rejects.toThrow('read-only')
  expect(await readFile(join(dir, 'library.1.log'))).toEqual(before)
})

test('runs the effects of a change once it is on disk, and never after a failure', async () => {
  const disk = new RehearsalDisk()
  const library = await openLibrary(await tempDir(), { disk })
  const steps: string[] = []
  const notes = collectionAs<Note>(library, 'posts')
  const put = (id: string) =>
    library.transact((tx) => {
      tx.put(notes, id, note(id))
      tx.after(() => steps.push(`after ${id}`))
    })
  disk.before = (operation) => {
    if (operation === 'datasync') steps.push('sync')
  }
  await put('kept')
  disk.before = failing('datasync', 'EIO')
  await expect(put('refused')).rejects.toThrow('read-only')
  expect(steps).toEqual(['sync', 'after kept'])
})

test('a failed batch also refuses the changes queued behind it', async () => {
  const disk = new RehearsalDisk()
  const library = await openLibrary(await tempDir(), { disk })
  let later: Promise<unknown> = Promise.resolve()
  disk.before = (operation) => {
    if (operation !== 'datasync') return
    later = putNotes(library, 'later')
    later.catch(() => undefined)
    throw diskError('EIO')
  }
  await expect(putNotes(library, 'first')).rejects.toThrow('read-only')
  await expect(later).rejects.toThrow('read-only')
  expect(noteIds(library)).toEqual([])
})

test('a change that only looked is not answered before what it saw is on disk', async () => {
  const disk = new RehearsalDisk()
  const library = await openLibrary(await tempDir(), { disk })
  disk.before = failing('datasync', 'EIO')
  const put = putNotes(library, 'a')
  const look = library.transact(() => noteIds(library))
  await expect(put).rejects.toThrow('read-only')
  await expect(look).rejects.toThrow('read-only')
})

test.each<[Operation, string]>([
  ['open', 'library.2.snapshot.json.tmp'],
  ['write', 'library.2.snapshot.json.tmp'],
  ['sync', 'library.2.snapshot.json.tmp'],
  ['rename', 'library.2.snapshot.json'],
  ['open', 'library.2.log.tmp'],
])('a snapshot that fails (%s of %s) harms nobody', async (operation, name) => {
  const dir = await tempDir()
  const disk = new RehearsalDisk()
  const library = await openLibrary(dir, { disk })
  await putNotes(library, 'a')
  disk.before = (asked, path) => {
    if (asked === operation && path === join(dir, name)) throw diskError('ENOSPC')
  }
  await expect(library.checkpoint()).rejects.toThrow('rehearsed')
  await putNotes(library, 'b')
  disk.before = () => undefined
  await library.checkpoint()
  await putNotes(library, 'c')
  await library.close()
  expect(noteIds(await openLibrary(dir))).toEqual(['a', 'b', 'c'])
})

test('a log that cannot be created makes the library read-only, and loses nothing', async () => {
  const dir = await tempDir()
  const disk = new RehearsalDisk()
  const library = await openLibrary(dir, { disk })
  await putNotes(library, 'a')
  disk.before = (operation, path) => {
    if (operation === 'rename' && path.endsWith('.log')) throw diskError('EIO')
  }
  await expect(library.checkpoint()).rejects.toThrow('read-only')
  expect(library.readOnly).toBe(true)
  await library.close()
  const reopened = await openLibrary(dir)
  await putNotes(reopened, 'b')
  expect(noteIds(reopened)).toEqual(['a', 'b'])
})

test('a start on a full or read-only disk reads the library, refuses changes, and leaves it as it was', async () => {
  const dir = await tempDir()
  await putNotes(await openLibrary(dir), 'a')
  for (const code of ['ENOSPC', 'EROFS']) {
    const disk = new RehearsalDisk()
    disk.before = failing('datasync', code)
    const library = await openLibrary(dir, { disk })
    expect([noteIds(library), library.refusedFor]).toEqual([['a'], code])
    await expect(putNotes(library, 'b')).rejects.toMatchObject({ code })
    await library.close()
  }
  expect(noteIds(await openLibrary(dir))).toEqual(['a'])
})
