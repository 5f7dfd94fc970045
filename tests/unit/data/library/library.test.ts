import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Transaction } from '../../../../server/data/library/library'
import {
  collectionAs,
  note,
  noteIds,
  openLibrary,
  putNotes,
  type Note,
} from '../../../support/data/temp-library'
import { tempDir } from '../../../support/system/temp-dir'

const logLines = async (dir: string, generation = 1) =>
  (await readFile(join(dir, `library.${generation}.log`), 'utf8')).trimEnd().split('\n')

test('a transaction over several collections and a counter is kept as one', async () => {
  const dir = await tempDir()
  const library = await openLibrary(dir)
  const [notes, meta] = [
    collectionAs<Note>(library, 'posts'),
    collectionAs<{ seen: number }>(library, 'meta'),
  ]
  const result = await library.transact((tx) => {
    tx.put(notes, 'a', note('a'))
    tx.put(meta, 'm', { seen: 1 })
    tx.setCounter('views', 7)
    return 'done'
  })
  expect(result).toBe('done')
  expect(await logLines(dir)).toHaveLength(2)
  await library.close()
  const reopened = await openLibrary(dir)
  expect(reopened.collection('posts').get('a')).toEqual(note('a'))
  expect(reopened.collection('meta').get('m')).toEqual({ seen: 1 })
  expect(reopened.counter('views')).toBe(7)
})

test('a change that throws has not happened', async () => {
  const dir = await tempDir()
  const library = await openLibrary(dir)
  const notes = collectionAs<Note>(library, 'posts')
  const change = library.transact((tx) => {
    tx.put(notes, 'a', note('a'))
    tx.setCounter('views', 1)
    throw new Error('taken')
  })
  await expect(change).rejects.toThrow('taken')
  expect([notes.size, library.counter('views')]).toEqual([0, 0])
  expect(await logLines(dir)).toHaveLength(1)
})

test('a value that is no JSON is refused before anything happens', async () => {
  const library = await openLibrary(await tempDir())
  const notes = collectionAs<{ size: bigint }>(library, 'posts')
  await expect(library.transact((tx) => tx.put(notes, 'a', { size: 1n }))).rejects.toThrow('BigInt')
  expect(notes.size).toBe(0)
})

test('a change sees the state before it, and the next change sees what it did', async () => {
  const library = await openLibrary(await tempDir())
  const notes = collectionAs<Note>(library, 'posts')
  const claim = () =>
    library.transact((tx) => {
      if (notes.has('a')) return 'taken'
      tx.put(notes, 'a', note('a'))
      expect(notes.has('a')).toBe(false)
      return 'mine'
    })
  expect(await Promise.all([claim(), claim(), claim()])).toEqual(['mine', 'taken', 'taken'])
})

test('a change that waits is refused as a whole', async () => {
  const library = await openLibrary(await tempDir())
  const notes = collectionAs<Note>(library, 'posts')
  const change = library.transact(async (tx) => {
    tx.put(notes, 'a', note('a'))
    await pause(1)
  })
  await expect(change).rejects.toThrow('cannot be async')
  expect(notes.size).toBe(0)
})

test('a transaction accepts nothing after its change has returned', async () => {
  const library = await openLibrary(await tempDir())
  let kept: Transaction | undefined
  await library.transact((tx) => void (kept = tx))
  expect(() => kept?.setCounter('late', 1)).toThrow('over')
})

test('a change cannot start another one', async () => {
  const library = await openLibrary(await tempDir())
  let inner: Promise<unknown> = Promise.resolve()
  await library.transact(() => void (inner = library.transact(() => 1)))
  await expect(inner).rejects.toThrow('cannot start another')
})

test('many clients share a sync, and each has a line of its own', async () => {
  const dir = await tempDir()
  const library = await openLibrary(dir)
  const ids = Array.from({ length: 500 }, (_, n) => `n${n}`)
  await putNotes(library, ...ids)
  const lines = await logLines(dir)
  expect(lines).toHaveLength(1 + 500)
  expect(lines.map((line) => (JSON.parse(line.slice(9)) as { s: number }).s)).toEqual(
    lines.map((_, n) => n + 1),
  )
  await library.close()
  expect(noteIds(await openLibrary(dir))).toEqual(ids)
})

test('counts are visible at once, reach the disk by themselves, and survive closing', async () => {
  const dir = await tempDir()
  const library = await openLibrary(dir)
  library.count('views')
  library.count('views', 2)
  library.count('downloads')
  expect(library.counter('views')).toBe(3)
  await expect.poll(async () => (await logLines(dir)).length).toBe(2)
  library.count('views')
  await library.close()
  const reopened = await openLibrary(dir)
  expect([
    reopened.counter('views'),
    reopened.counter('downloads'),
    reopened.counter('none'),
  ]).toEqual([4, 1, 0])
})

test('what another host counts is no change of records', async () => {
  const library = await openLibrary(await tempDir())
  const { revision } = library
  library.apply([['counter', 'views', 7]])
  expect([library.counter('views'), library.revision]).toEqual([7, revision])
})

test('a counter that a transaction deletes stays deleted, although it was counted just before', async () => {
  const dir = await tempDir()
  const library = await openLibrary(dir)
  library.count('views', 5)
  await library.transact((tx) => tx.setCounter('views', undefined))
  await library.close()
  expect((await openLibrary(dir)).counter('views')).toBe(0)
})

test('a counter is a number', async () => {
  const library = await openLibrary(await tempDir())
  expect(() => library.count('views', NaN)).toThrow(RangeError)
  await expect(library.transact((tx) => tx.setCounter('views', Infinity))).rejects.toThrow(
    RangeError,
  )
})

test('settled waits for transactions and counts', async () => {
  const dir = await tempDir()
  const library = await openLibrary(dir)
  void putNotes(library, 'a', 'b')
  library.count('views')
  await library.settled()
  expect(await logLines(dir)).toHaveLength(4)
})

test('a closed library can be read and refuses changes', async () => {
  const library = await openLibrary(await tempDir())
  const last = putNotes(library, 'a')
  await library.close()
  await last
  expect(noteIds(library)).toEqual(['a'])
  expect(library.readOnly).toBe(true)
  library.count('views')
  await expect(putNotes(library, 'b')).rejects.toMatchObject({
    name: 'LibraryReadOnlyError',
    code: 'EROFS',
  })
  await expect(library.checkpoint()).rejects.toThrow('closed')
  await library.close()
})

test('only the owner may look into the folder', async () => {
  const dir = join(await tempDir(), 'data')
  const library = await openLibrary(dir)
  await library.checkpoint()
  await library.close()
  expect((await stat(dir)).mode & 0o777).toBe(0o700)
  const names = await readdir(dir)
  expect(names.sort()).toEqual(['library.1.log', 'library.2.log', 'library.2.snapshot.json'])
  for (const name of names) expect((await stat(join(dir, name))).mode & 0o777).toBe(0o600)
})
