import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { diskError, RehearsalDisk } from './rehearsal-disk'
import {
  collectionAs,
  noteIds,
  openLibrary,
  putNotes,
  type Note,
} from '../../../support/data/temp-library'
import { tempDir } from '../../../support/system/temp-dir'

/** On a busy machine. */
const SOON = { timeout: 15_000 }

const full = (operation: string) => {
  if (operation === 'write') throw diskError('ENOSPC')
}

test('after a full disk, the library resumes by itself once there is room, and has lost nothing', async () => {
  const dir = await tempDir()
  const disk = new RehearsalDisk()
  const library = await openLibrary(dir, { disk, roomCheckMs: 5 })
  await putNotes(library, 'a')
  for (const [before, after] of [
    ['b', 'c'],
    ['d', 'e'],
  ] as const) {
    disk.before = full
    await expect(putNotes(library, before, `${before}2`)).rejects.toThrow('read-only')
    await pause(30)
    expect(library.readOnly).toBe(true)
    expect(noteIds(library)).not.toContain(before)
    disk.before = () => undefined
    await expect.poll(() => library.readOnly, SOON).toBe(false)
    await putNotes(library, after)
  }
  await library.checkpoint()
  await putNotes(library, 'f')
  await library.close()
  expect(noteIds(await openLibrary(dir))).toEqual(['a', 'c', 'e', 'f'])
})

test('the delete that finds a full disk is saved, in place of the reserve', async () => {
  const dir = await tempDir()
  const disk = new RehearsalDisk()
  const library = await openLibrary(dir, { disk, roomCheckMs: 50 })
  await putNotes(library, 'a', 'b')
  const reserve = join(dir, 'library.reserve')
  const reserved = () => statSync(reserve, { throwIfNoEntry: false })?.size
  await expect.poll(reserved, SOON).toBe(4 * 1024 * 1024)

  disk.before = (operation) => {
    if (existsSync(reserve)) full(operation)
  }
  await library.transact((tx) => tx.delete(collectionAs<Note>(library, 'posts'), 'a'))

  expect(noteIds(library)).toEqual(['b'])
  await library.close()
  expect(noteIds(await openLibrary(dir))).toEqual(['b'])
})

test('a snapshot that was under way when the disk became full is dropped: it may show what was taken back', async () => {
  const dir = await tempDir()
  const disk = new RehearsalDisk()
  const library = await openLibrary(dir, { disk, roomCheckMs: 5 })
  await putNotes(library, 'a')
  let snapshotMayEnd: (() => void) | undefined
  const held = new Promise<void>((resolve) => (snapshotMayEnd = resolve))
  disk.before = (operation, path) => {
    if (operation === 'write' && path.includes('snapshot')) return held
  }
  const checkpoint = library.checkpoint()
  checkpoint.catch(() => undefined)
  await expect
    .poll(() => disk.operations.filter((operation) => operation === 'rename').length, SOON)
    .toBe(2)
  const refused = putNotes(library, 'b')
  disk.before = (operation, path) => {
    if (operation === 'write' && !path.includes('snapshot')) throw diskError('ENOSPC')
  }
  await refused.catch(() => undefined)
  await putNotes(library, 'c').catch(() => undefined)
  disk.before = () => undefined
  await expect.poll(() => library.readOnly, SOON).toBe(false)
  snapshotMayEnd?.()
  await expect(checkpoint).rejects.toThrow('read-only')
  await putNotes(library, 'd')
  const expected = noteIds(library)
  await library.close()
  expect(noteIds(await openLibrary(dir))).toEqual(expected)
})

test.each([
  ['the sync failed', (operation: string) => operation === 'datasync' && 'EIO'],
  [
    'cutting back failed',
    (operation: string) => (operation === 'write' ? 'ENOSPC' : operation === 'truncate' && 'EIO'),
  ],
])('it does not go on where %s', async (_, failure) => {
  const disk = new RehearsalDisk()
  const library = await openLibrary(await tempDir(), { disk, roomCheckMs: 5 })
  disk.before = (operation) => {
    const code = failure(operation)
    if (code !== false) throw diskError(code)
  }
  await expect(putNotes(library, 'a')).rejects.toThrow('read-only')
  disk.before = () => undefined
  await pause(50)
  expect(library.readOnly).toBe(true)
})
