import {
  appendFile,
  copyFile,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Library } from '../../../../server/data/library/library'
import { contents, expectRefusal, firstLine, flip, session, SNAPSHOT } from './damage'
import { noteIds, putNotes, silentLog } from '../../../support/data/temp-library'
import { tempDir } from '../../../support/system/temp-dir'

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
    await session(dir, async (library) =>
      expect(noteIds(library)).toEqual(['a', 'b', 'c'].slice(0, kept)),
    )
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
    await expect(Library.open({ dir, log: silentLog })).rejects.toThrow(
      'library.1.log is damaged at byte',
    )
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
  await expectRefusal(dir, 'library.2.log', 'continues with transaction 3 after 1')
})

test.each([
  ['library.1.log', 'exists, but the file that it builds on is missing', 'library.2.log'],
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
  await expectRefusal(dir, 'library.3.log', 'is actually log 2')
})

test.each([
  'library.1.log',
  'library.2.log',
  SNAPSHOT,
  'library.2.log.tmp',
  `${SNAPSHOT}.tmp`,
  'library.json',
  'library.1.log.bak',
])('where there is only %s, nothing starts empty', async (name) => {
  const dir = await tempDir()
  await writeFile(join(dir, name), '')
  await expect(Library.open({ dir, log: silentLog })).rejects.toThrow(
    name.replace('.snapshot.json', '.').replace('.tmp', ''),
  )
  expect(await contents(dir)).toEqual({ [name]: '' })
})

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
