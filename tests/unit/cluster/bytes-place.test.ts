import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { BytesFolder } from '../../../server/cluster/folder/bytes-place'
import { clusterMarkIn, requireBytes } from '../../../server/data/library/cluster-mark'
import { tempDir } from '../../support/system/temp-dir'

const BLOB = `blobs/ab/ab${'0'.repeat(30)}`

async function aDataFolder(): Promise<string> {
  const dir = await tempDir()
  for (const name of ['blobs/ab', 'uploads', 'orphans', 'tmp', 'audit'])
    await mkdir(join(dir, name), { recursive: true })
  for (const name of [
    BLOB,
    'blobs/catalogue.json',
    'uploads/u',
    'orphans/o',
    'tmp/t',
    'settings.json',
  ])
    await writeFile(join(dir, name), name)
  await utimes(join(dir, 'orphans/o'), 1000, 1000)
  return dir
}

/** A folder for bytes that a command works with. */
function aPlace(dir: string): BytesFolder {
  const place = new BytesFolder(dir)
  onTestFinished(() => place.close())
  return place
}

const listBytes = async (dir: string) =>
  (await readdir(dir, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !/slipway|library/.test(entry.name))
    .map(({ name }) => name)
    .sort()

test('bytes move to a folder and back, with their times; a second run copies what the first has not', async () => {
  const [dir, back, to] = [await aDataFolder(), await tempDir(), join(await tempDir(), 'new/bytes')]
  const place = aPlace(to)
  await place.claim('one')
  await place.takeFrom(dir)
  expect(await listBytes(to)).toEqual([BLOB.slice(9), 'catalogue.json', 'o', 'u'])
  expect((await stat(join(to, 'orphans/o'))).mtimeMs).toBe(1_000_000)
  const { ino } = await stat(join(to, 'uploads/u'))
  // One copy is complete; of the other, half was written when the command was killed.
  await writeFile(join(to, 'blobs/catalogue.json'), 'half')
  await place.takeFrom(dir)
  expect((await stat(join(to, 'uploads/u'))).ino).toBe(ino)
  expect(await readFile(join(to, 'blobs/catalogue.json'), 'utf8')).toBe('blobs/catalogue.json')
  await expect(place.giveTo(back, 'one')).rejects.toThrow(
    'are half moved, because `slipway cluster init`',
  )
  await place.keep('one')
  await place.giveTo(back, 'one')
  expect(await listBytes(back)).toEqual(await listBytes(to))
  // Uploads go on in their file, so it is never the same one.
  expect((await stat(join(back, 'uploads/u'))).ino).not.toBe(ino)
  await place.forget()
  await expect(requireBytes(to, 'one')).rejects.toThrow('The bytes of the cluster are not in')
})

test('a folder with other things is not taken', async () => {
  const [used, others] = [await tempDir(), await tempDir()]
  await writeFile(join(used, 'notes.txt'), '')
  await expect(aPlace(used).claim('one')).rejects.toThrow(
    'has other files. Give --blobs an empty folder',
  )
  await clusterMarkIn(others).write({ id: 'another', state: 'member' })
  await expect(aPlace(others).claim('one')).rejects.toThrow(
    'has the bytes of another cluster. Give --blobs an empty',
  )
  await expect(requireBytes(others, 'one')).rejects.toThrow(
    'has the bytes of another cluster. Correct --blobs',
  )
  const place = aPlace(await tempDir())
  await place.claim('one')
  await expect(aPlace(place.words).claim('one')).rejects.toThrow('is in use by another Slipway')
  await place.close()
  // The run that made this mark has changed nothing else.
  await aPlace(place.words).claim('two')
  expect(await clusterMarkIn(place.words).read()).toEqual({ id: 'two', state: 'joining' })
})
