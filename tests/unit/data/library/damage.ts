import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { Library, LibraryDamagedError } from '../../../../server/data/library/library'
import { silentLog } from '../../../support/data/temp-library'

export const SNAPSHOT = 'library.2.snapshot.json'

/** Runs the library once and closes it. */
export async function session(
  dir: string,
  work: (library: Library) => Promise<unknown>,
): Promise<void> {
  const library = await Library.open({ dir, log: silentLog })
  await work(library)
  await library.close()
}

/** The contents of a folder, byte for byte. */
export async function contents(dir: string): Promise<Record<string, string>> {
  const names = (await readdir(dir)).sort()
  return Object.fromEntries(
    await Promise.all(names.map(async (n) => [n, await readFile(join(dir, n), 'latin1')] as const)),
  )
}

/** The library must refuse, name the file, and leave everything unchanged. */
export async function expectRefusal(dir: string, file: string, what: string): Promise<void> {
  const before = await contents(dir)
  const opening = Library.open({ dir, log: silentLog })
  await expect(opening).rejects.toBeInstanceOf(LibraryDamagedError)
  await expect(opening).rejects.toThrow(`${join(dir, file)} ${what}`)
  expect(await contents(dir)).toEqual(before)
}

export async function flip(path: string, at: (bytes: Buffer) => number): Promise<void> {
  const bytes = await readFile(path)
  const index = at(bytes)
  bytes[index] = bytes[index]! ^ 1
  await writeFile(path, bytes)
}

/** The length of the line that every log begins with. */
export const firstLine = async (log: string) => (await readFile(log)).indexOf('\n') + 1
