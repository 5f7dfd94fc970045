import { readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSnapshot } from '../../../../server/data/library/journal/snapshot'
import { expectRefusal, firstLine, flip, session, SNAPSHOT } from './damage'
import { RehearsalDisk } from './rehearsal-disk'
import { rounds } from '../../../support/system/rounds'
import { noteIds, openLibrary, putNotes, silentLog } from '../../../support/data/temp-library'
import { tempDir } from '../../../support/system/temp-dir'

test(
  'skips a snapshot with a changed byte, or a truncated one, for the previous generation',
  { timeout: 30_000 },
  async () => {
    const dir = await tempDir()
    await session(dir, async (library) => {
      await putNotes(library, 'a')
      library.count('views', 3)
      await library.checkpoint()
      await putNotes(library, 'b')
    })
    const path = join(dir, SNAPSHOT)
    const whole = await readFile(path)
    for (let index = 0; index < whole.length; index += rounds(1, 3)) {
      await flip(path, () => index)
      expect(await readSnapshot(path, 1)).toBeUndefined()
      await writeFile(
        path,
        index % 2 === 0 ? whole.subarray(0, index) : Buffer.concat([whole, whole.subarray(index)]),
      )
      expect(await readSnapshot(path, 1)).toBeUndefined()
      await writeFile(path, whole)
    }
    await flip(path, () => 150)
    const errors: object[] = []
    const library = await openLibrary(dir, {
      log: { ...silentLog, error: (fields) => errors.push(fields) },
    })
    expect([noteIds(library), library.counter('views'), errors]).toEqual([
      ['a', 'b'],
      3,
      [{ path }],
    ])
  },
)

test('a damaged snapshot is replaced by a new one soon after', async () => {
  const dir = await tempDir()
  await session(dir, async (library) => {
    await putNotes(library, 'a')
    await library.checkpoint()
  })
  await truncate(join(dir, SNAPSHOT), 60)
  const library = await openLibrary(dir)
  await expect.poll(() => readdir(dir)).toContain('library.4.snapshot.json')
  expect(noteIds(library)).toEqual(['a'])
})

test('where all snapshots are damaged, the library is refused', async () => {
  const dir = await tempDir()
  await session(dir, async (library) => {
    for (const id of ['a', 'b']) {
      await putNotes(library, id)
      await library.checkpoint()
    }
  })
  expect((await readdir(dir)).sort()).toEqual([
    'library.2.log',
    SNAPSHOT,
    'library.3.log',
    'library.3.snapshot.json',
  ])
  await flip(join(dir, SNAPSHOT), () => 100)
  await flip(join(dir, 'library.3.snapshot.json'), () => 100)
  await expectRefusal(dir, 'library.3.snapshot.json', 'is damaged, and so is every older snapshot')
})

test('a damaged snapshot without the logs of the one before is refused', async () => {
  const dir = await tempDir()
  await session(dir, async (library) => {
    for (const id of ['a', 'b']) {
      await putNotes(library, id)
      await library.checkpoint()
    }
  })
  await flip(join(dir, 'library.3.snapshot.json'), () => 100)
  await rm(join(dir, 'library.2.log'))
  await expectRefusal(dir, 'library.2.log', 'is missing')
})

test('a log that ends before what the snapshot has seen is refused', async () => {
  const dir = await tempDir()
  const disk = new RehearsalDisk()
  const library = await openLibrary(dir, { disk })
  await putNotes(library, 'a')
  let isFirst = true
  disk.before = async (operation, path) => {
    if (operation !== 'write' || !path.includes('snapshot') || !isFirst) return
    isFirst = false
    await putNotes(library, 'b')
  }
  await library.checkpoint()
  await library.close()
  expect(await readFile(join(dir, SNAPSHOT), 'utf8')).toContain('text of b')
  const log = join(dir, 'library.2.log')
  await truncate(log, await firstLine(log))
  await expectRefusal(dir, 'library.2.log', 'lacks transactions')
})
