import { appendFile, copyFile, mkdir, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSnapshot } from '../../../server/storage/journal/snapshot'
import { Library } from '../../../server/storage/library'
import { RehearsalDisk } from './rehearsal-disk'
import { noteIds, openLibrary, putNotes, silentLog, tempDir } from './temp-dir'

const SNAPSHOT = 'library.2.snapshot.json'

/** Runs the library once and closes it. */
async function session(dir: string, work: (library: Library) => Promise<unknown>): Promise<void> {
  const library = await Library.open({ dir, log: silentLog })
  await work(library)
  await library.close()
}

/** What a folder holds, byte for byte. */
async function contents(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir)).sort()
  return Object.fromEntries(await Promise.all(names.map(async (n) => [n, await readFile(join(dir, n), 'latin1')] as const)))
}

/** The library must refuse, name the file, and leave everything as it was. */
async function expectRefusal(dir: string, file: string, what: string): Promise<void> {
  const before = await contents(dir)
  const opening = Library.open({ dir, log: silentLog })
  await expect(opening).rejects.toMatchObject({ name: 'LibraryDamagedError', file: join(dir, file) })
  await expect(opening).rejects.toThrow(what)
  expect(await contents(dir)).toEqual(before)
}

async function flip(path: string, at: (bytes: Buffer) => number): Promise<void> {
  const bytes = await readFile(path)
  const index = at(bytes)
  bytes[index] = bytes[index]! ^ 1
  await writeFile(path, bytes)
}

/** The length of the line that every log begins with. */
const firstLine = async (log: string) => (await readFile(log)).indexOf('\n') + 1

test('everything is there after any number of restarts', async () => {
  const dir = await tempDir()
  await session(dir, (library) => putNotes(library, 'a', 'b'))
  await session(dir, async () => undefined)
  await session(dir, (library) => putNotes(library, 'c'))
  expect(noteIds(await openLibrary(dir))).toEqual(['a', 'b', 'c'])
})

test('an unfinished line at the end of the newest log is removed, and the log before the next one is whole again', async () => {
  const dir = await tempDir()
  await session(dir, (library) => putNotes(library, 'a', 'b'))
  const log = join(dir, 'library.1.log')
  const whole = await readFile(log)
  for (const tail of ['0', '00000000 {"s":4,"o":[', '\0'.repeat(5000), 'x'.repeat(3_000_000)]) {
    await appendFile(log, tail)
    await session(dir, async (library) => expect(noteIds(library)).toEqual(['a', 'b']))
    expect(await readFile(log)).toEqual(whole)
    await rm(join(dir, 'library.2.log'))
  }
})

test('every way to cut the newest log short gives the transactions before the cut', async () => {
  const dir = await tempDir()
  await session(dir, (library) => putNotes(library, 'a', 'b', 'c'))
  const log = join(dir, 'library.1.log')
  const whole = await readFile(log)
  const start = whole.indexOf('\n') + 1
  for (let length = start; length < whole.length; length += 3) {
    await writeFile(log, whole.subarray(0, length))
    const kept = whole.subarray(start, length).toString().split('\n').length - 1
    await session(dir, async (library) => expect(noteIds(library)).toEqual(['a', 'b', 'c'].slice(0, kept)))
    await rm(join(dir, 'library.2.log'))
  }
})

test('a changed byte anywhere in a log is refused', async () => {
  const dir = await tempDir()
  await session(dir, (library) => putNotes(library, 'a', 'b'))
  const log = join(dir, 'library.1.log')
  const whole = await readFile(log)
  for (let index = 0; index < whole.length; index++) {
    await writeFile(log, whole)
    await flip(log, () => index)
    await expect(Library.open({ dir, log: silentLog })).rejects.toThrow('library.1.log is damaged at byte')
  }
})

test('a log that ends too early is refused when there is a newer one', async () => {
  const dir = await tempDir()
  await session(dir, (library) => putNotes(library, 'a'))
  await session(dir, (library) => putNotes(library, 'b'))
  const first = await firstLine(join(dir, 'library.1.log'))
  await truncate(join(dir, 'library.1.log'), first + 10)
  await expectRefusal(dir, 'library.1.log', `is damaged at byte ${first}`)
})

test('a log that lost its last transactions is refused when there is a newer one', async () => {
  const dir = await tempDir()
  await session(dir, (library) => putNotes(library, 'a'))
  await session(dir, (library) => putNotes(library, 'b'))
  await truncate(join(dir, 'library.1.log'), await firstLine(join(dir, 'library.1.log')))
  await expectRefusal(dir, 'library.2.log', 'goes on with transaction 3 after 1')
})

test.each([
  ['library.1.log', 'is there, but what it builds upon is missing', 'library.2.log'],
  ['library.2.log', 'is missing', 'library.2.log'],
])('a missing %s is refused', async (missing, what, named) => {
  const dir = await tempDir()
  for (const id of ['a', 'b', 'c']) await session(dir, (library) => putNotes(library, id))
  await rm(join(dir, missing))
  await expectRefusal(dir, named, what)
})

test('a log under a wrong number is refused', async () => {
  const dir = await tempDir()
  for (const id of ['a', 'b']) await session(dir, (library) => putNotes(library, id))
  await rename(join(dir, 'library.2.log'), join(dir, 'library.3.log'))
  await expectRefusal(dir, 'library.2.log', 'is missing')
  await copyFile(join(dir, 'library.3.log'), join(dir, 'library.2.log'))
  await expectRefusal(dir, 'library.3.log', 'is really log 2')
})

test.each(['library.1.log', 'library.2.log', SNAPSHOT, 'library.2.log.tmp', `${SNAPSHOT}.tmp`, 'library.json', 'library.1.log.bak'])(
  'where there is only %s, nothing starts empty',
  async (name) => {
    const dir = await tempDir()
    await writeFile(join(dir, name), '')
    await expect(Library.open({ dir, log: silentLog })).rejects.toThrow(name.replace('.snapshot.json', '.').replace('.tmp', ''))
    expect(await contents(dir)).toEqual({ [name]: '' })
  },
)

test('a crash in the very first start is no library yet', async () => {
  const dir = await tempDir()
  await writeFile(join(dir, 'library.1.log.tmp'), 'half')
  await session(dir, (library) => putNotes(library, 'a'))
  expect(await readdir(dir)).toEqual(['library.1.log'])
})

test('drafts of a crash are swept, but only once the library is open', async () => {
  const dir = await tempDir()
  await session(dir, (library) => putNotes(library, 'a'))
  await writeFile(join(dir, 'library.2.log.tmp'), 'half')
  await writeFile(join(dir, 'library.2.snapshot.json.tmp'), 'half')
  await session(dir, async () => undefined)
  expect((await readdir(dir)).sort()).toEqual(['library.1.log', 'library.2.log'])
  await writeFile(join(dir, 'library.3.log.tmp'), 'half')
  await flip(join(dir, 'library.1.log'), () => 20)
  await expectRefusal(dir, 'library.1.log', 'is damaged')
})

test('other files in the folder are nobody of ours', async () => {
  const dir = await tempDir()
  await writeFile(join(dir, 'settings.json'), '{}')
  await mkdir(join(dir, 'blobs'))
  await session(dir, (library) => putNotes(library, 'a'))
  expect((await readdir(dir)).sort()).toEqual(['blobs', 'library.1.log', 'settings.json'])
})

test('a snapshot with a changed byte, or cut short, is passed over for the generation before it', { timeout: 30_000 }, async () => {
  const dir = await tempDir()
  await session(dir, async (library) => {
    await putNotes(library, 'a')
    library.count('views', 3)
    await library.checkpoint()
    await putNotes(library, 'b')
  })
  const path = join(dir, SNAPSHOT)
  const whole = await readFile(path)
  for (let index = 0; index < whole.length; index++) {
    await flip(path, () => index)
    expect(await readSnapshot(path, 1)).toBeUndefined()
    await writeFile(path, index % 2 === 0 ? whole.subarray(0, index) : Buffer.concat([whole, whole.subarray(index)]))
    expect(await readSnapshot(path, 1)).toBeUndefined()
    await writeFile(path, whole)
  }
  await flip(path, () => 150)
  const errors: object[] = []
  const library = await openLibrary(dir, { log: { ...silentLog, error: (fields) => errors.push(fields) } })
  expect([noteIds(library), library.counter('views'), errors]).toEqual([['a', 'b'], 3, [{ path }]])
})

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
  expect((await readdir(dir)).sort()).toEqual(['library.2.log', SNAPSHOT, 'library.3.log', 'library.3.snapshot.json'])
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
  await expectRefusal(dir, 'library.2.log', 'has lost transactions')
})
