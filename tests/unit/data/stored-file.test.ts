import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { StoredFile } from '../../../server/data/stored-file'
import { diskError, RehearsalDisk } from './library/rehearsal-disk'
import { tempDir } from '../../support/system/temp-dir'

const schema = z.object({ count: z.int() })

async function aFile(onDamage: string | (() => { count: number } | null) = 'Delete it.') {
  const [dir, disk] = [await tempDir(), new RehearsalDisk()]
  return { dir, disk, file: new StoredFile(schema, join(dir, 'count.json'), { onDamage, disk }) }
}

test('a stored file is read as it was written, is for its owner only, and can be removed', async () => {
  const { dir, file } = await aFile()
  expect(await file.read()).toBeNull()
  await file.write({ count: 1 })
  expect(await file.read()).toEqual({ count: 1 })
  expect((await stat(file.path)).mode & 0o777).toBe(0o600)
  await file.remove()
  await file.remove()
  expect(await readdir(dir)).toEqual([])
})

test('changes of a stored file apply in their order, and a failed one keeps the value before it', async () => {
  const { dir, disk, file } = await aFile()
  let writes = 0
  disk.before = (operation) => {
    if (operation === 'write' && ++writes === 3) throw diskError('ENOSPC')
  }
  const changes = await Promise.allSettled([1, 2, 3].map((count) => file.write({ count })))
  expect(changes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(await file.read()).toEqual({ count: 2 })
  await file.write({ count: 4 })
  expect(await file.read()).toEqual({ count: 4 })
  expect(await readdir(dir)).toEqual(['count.json'])
})

test.each(['', '{', '{}', '{ "count": "hunter2" }'])(
  'a damaged file (%s) is refused with advice, not quoted and not changed',
  async (text) => {
    const { file } = await aFile()
    await writeFile(file.path, text)
    const error = await file.read().catch((cause: unknown) => cause)
    expect(error).toEqual(new Error(`${file.path} is damaged. Delete it.`))
    expect(await readFile(file.path, 'utf8')).toBe(text)
  },
)

test('a damaged file counts as what its rule returns', async () => {
  const { file } = await aFile(() => ({ count: 0 }))
  await writeFile(file.path, '{}')
  expect(await file.read()).toEqual({ count: 0 })
})

test('a file that cannot be read is not damaged, whatever its rule says', async () => {
  const { dir } = await aFile()
  const folder = new StoredFile(schema, dir, { onDamage: () => null })
  await expect(folder.read()).rejects.toMatchObject({ code: 'EISDIR' })
})
