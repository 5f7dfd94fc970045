import { randomBytes, randomInt } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { Library, LibraryDamagedError } from '../../../server/data/library/library'
import { rounds } from '../../support/system/rounds'
import { collectionAs } from '../../support/data/temp-library'
import { tempDir } from '../../support/system/temp-dir'

const ROUNDS = rounds(1000, 200)
const NOTES = 60
const quiet = { info: () => undefined, error: () => undefined }

interface Note {
  text: string
}

/**
 * A library with two snapshots and four logs, and a note for every transaction in the order of
 * their numbers.
 */
async function aLibrary(dir: string): Promise<void> {
  for (let session = 0; session < 2; session++) {
    const library = await Library.open({ dir, log: quiet })
    const notes = collectionAs<Note>(library, 'posts')
    for (let n = (session * NOTES) / 2; n < ((session + 1) * NOTES) / 2; n++) {
      await library.transact((tx) =>
        tx.put(notes, String(n), { text: `${n} ${randomBytes(20).toString('hex')}` }),
      )
      if (n % 20 === 10) await library.checkpoint()
    }
    await library.close()
  }
}

async function read(dir: string): Promise<string[]> {
  const library = await Library.open({ dir, log: quiet })
  const texts = [...collectionAs<Note>(library, 'posts').values()].map(({ text }) => text)
  await library.close()
  return texts
}

/** Flips a bit somewhere, or cuts the file somewhere. */
async function damage(path: string): Promise<'flip' | 'cut'> {
  const bytes = await readFile(path)
  if (randomInt(2) === 0) {
    await truncate(path, randomInt(bytes.length))
    return 'cut'
  }
  const at = randomInt(bytes.length)
  bytes[at] = bytes[at]! ^ (1 << randomInt(8))
  await writeFile(path, bytes)
  return 'flip'
}

/** What each file looks like now. */
async function contents(dir: string): Promise<string[]> {
  const names = (await readdir(dir)).sort()
  return Promise.all(
    names.map(async (name) => `${name} ${(await readFile(join(dir, name))).toString('latin1')}`),
  )
}

test(
  `3: ${ROUNDS} random bit flips and truncations: never a start with wrong or missing records`,
  { timeout: 60_000 + ROUNDS * 1000 },
  async () => {
    const base = await tempDir()
    const whole = join(base, 'whole')
    await aLibrary(whole)
    const [names, outcome] = [await readdir(whole), { refused: 0, harmless: 0, prefix: 0 }]
    const newest = names
      .filter((name) => name.endsWith('.log'))
      .sort()
      .at(-1)
    await mkdir(join(base, 'reference'))
    for (const name of names) await copyFile(join(whole, name), join(base, 'reference', name))
    const expected = await read(join(base, 'reference'))
    for (let round = 0; round < ROUNDS; round++) {
      const dir = join(base, String(round))
      await mkdir(dir)
      for (const name of names) await copyFile(join(whole, name), join(dir, name))
      const name = names[randomInt(names.length)]!
      const kind = await damage(join(dir, name))
      const before = await contents(dir)
      const found = await read(dir).catch((error: unknown) => error as Error)
      if (found instanceof Error) {
        expect(found, `${kind} of ${name}`).toBeInstanceOf(LibraryDamagedError)
        expect(await contents(dir), 'files of a refused library').toEqual(before)
        outcome.refused++
      } else if (found.length === expected.length) {
        expect(found, `${kind} of ${name}`).toEqual(expected)
        outcome.harmless++
      } else {
        // A missing tail looks like one that was never written; only the newest log can have one.
        expect([kind, name, found], `${kind} of ${name}`).toEqual([
          'cut',
          newest,
          expected.slice(0, found.length),
        ])
        outcome.prefix++
      }
      await rm(dir, { recursive: true })
    }
    console.log(`3: ${ROUNDS} damages, none silently wrong: ${JSON.stringify(outcome)}`)
  },
)
