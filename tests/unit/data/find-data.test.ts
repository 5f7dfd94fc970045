import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findData, findHostData, LibraryMissingError } from '../../../server/data/folder/find'
import { openLibrary } from '../../support/data/temp-library'
import { tempDir } from '../../support/system/temp-dir'

const BLOB = 'ab'.repeat(16)

/** A folder whose library is lost, with these files. */
async function aFolder(...files: string[]): Promise<string> {
  const dir = await tempDir()
  for (const file of files) {
    await mkdir(join(dir, file, '..'), { recursive: true })
    await writeFile(join(dir, file), 'bytes')
  }
  return dir
}

test.each([
  ['a stored file', `blobs/ab/${BLOB}`, '1 file is here'],
  ['a file that was set aside', `orphans/${BLOB}`, '1 file is here'],
  ['a catalogue', 'blobs/catalogue.json', 'its other data is here'],
])(
  'a host does not start on %s without a library, and changes nothing',
  async (_what, file, rest) => {
    const dir = await aFolder(file)
    const before = await readdir(dir, { recursive: true })
    const refused = findHostData(dir)
    await expect(refused).rejects.toThrow(LibraryMissingError)
    await expect(refused).rejects.toThrow(
      `The library of ${dir} is missing, but ${rest}. Run \`slipway rebuild --data ${dir}\``,
    )
    expect(await readdir(dir, { recursive: true })).toEqual(before)
    // For `rebuild`, and for a person who gives the library up.
    expect((await findData(dir)).dataDir).toBe(dir)
    expect((await findHostData(dir, true)).dataDir).toBe(dir)
  },
)

test('a host starts on a folder with a library, and on one that never had files', async () => {
  const dir = await aFolder(`blobs/ab/${BLOB}`, `orphans/${BLOB}`)
  await openLibrary(dir)
  expect((await findHostData(dir)).dataDir).toBe(dir)
  const fresh = await aFolder('settings.json', 'blobs/.DS_Store')
  expect((await findHostData(fresh)).dataDir).toBe(fresh)
})

test('rebuild finds the files where the data was moved to, and a missing folder stays missing', async () => {
  const [home, moved] = [await tempDir(), await aFolder(`blobs/ab/${BLOB}`)]
  const pointer = { path: moved, moving: null, old: null, news: null }
  await writeFile(join(home, 'data-folder.json'), JSON.stringify(pointer))
  expect((await findData(home)).dataDir).toBe(moved)
  await expect(findHostData(home)).rejects.toThrow(
    `The library of ${moved} is missing, but 1 file is here`,
  )
  await rm(join(moved, 'blobs'), { recursive: true })
  await expect(findHostData(home, true)).rejects.toThrow(`The data folder ${moved} is missing`)
})
