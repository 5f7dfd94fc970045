import { statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { DiskReserve, makesRoom } from '../../../../server/data/library/journal/disk-reserve'
import type { Op } from '../../../../server/data/library/library-data'
import { diskError, RehearsalDisk } from './rehearsal-disk'
import {
  collectionAs,
  noteIds,
  openLibrary,
  putNotes,
  type Note,
} from '../../../support/data/temp-library'
import { tempDir } from '../../../support/system/temp-dir'

const MB = 1024 ** 2

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

test('a delete on a full disk is saved in place of the reserve, when another program takes half of that', async () => {
  const dir = await tempDir()
  const disk = new RehearsalDisk()
  const library = await openLibrary(dir, { disk, roomCheckMs: 50 })
  await putNotes(library, 'a', 'b')
  const reserve = join(dir, 'library.reserve')
  const reserved = () => statSync(reserve, { throwIfNoEntry: false })?.size
  await expect.poll(reserved, SOON).toBe(4 * MB)

  disk.before = (operation) => {
    if ((reserved() ?? 0) > 2 * MB) full(operation)
  }
  await library.transact((tx) => tx.delete(collectionAs<Note>(library, 'posts'), 'a'))

  expect(noteIds(library)).toEqual(['b'])
  expect(reserved()).toBe(2 * MB)
  await library.close()
  expect(noteIds(await openLibrary(dir))).toEqual(['b'])
})

test('a reserve that the disk has no room for keeps the part that was left', async () => {
  const dir = await tempDir()
  const reserve = join(dir, 'library.reserve')
  await writeFile(reserve, Buffer.alloc(2 * MB))
  const disk = new RehearsalDisk()
  disk.before = (operation, path) => {
    if (path.endsWith('library.reserve')) full(operation)
  }
  await expect(new DiskReserve(dir, disk).make()).rejects.toThrow('ENOSPC')
  expect(statSync(reserve).size).toBe(2 * MB)

  disk.before = () => undefined
  expect(await new DiskReserve(dir, disk).make()).toBe(true)
  expect(statSync(reserve).size).toBe(4 * MB)
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

test.for<[what: string, isTaken: boolean, ops: Op[]]>([
  [
    'a sign-in',
    true,
    [
      ['put', 'factors', 'a', {}],
      ['put', 'sessions', 'b', {}],
    ],
  ],
  [
    'a sign-in that its person hears of',
    true,
    [
      ['put', 'factors', 'a', {}],
      ['put', 'notices', 'n', {}],
    ],
  ],
  ['a notice alone', false, [['put', 'notices', 'n', {}]]],
  [
    'a delete',
    true,
    [
      ['delete', 'posts', 'a'],
      ['put', 'trash', 'a', {}],
    ],
  ],
  [
    'a new post',
    false,
    [
      ['put', 'posts', 'a', {}],
      ['put', 'notices', 'n', {}],
    ],
  ],
])('on its reserve the library takes: %s, %s', ([, isTaken, ops]) => {
  expect(makesRoom(ops)).toBe(isTaken)
})
