import { mkdir, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { FolderCopy } from '../../../server/data/folder/move/folder-copy'
import { tempDir } from '../../support/system/temp-dir'

test('a copied file keeps its time, by which the library knows whether it may delete it', async () => {
  const [from, to] = [await tempDir(), await tempDir()]
  const orphan = join('orphans', 'ab'.repeat(16))
  await mkdir(join(from, 'orphans'))
  await writeFile(join(from, orphan), 'bytes')
  const time = new Date('2024-02-29T12:00:00.500Z')
  await utimes(join(from, orphan), time, time)
  const signal = new AbortController().signal
  await new FolderCopy({ from, to, shares: false, signal, onProgress: () => undefined }).takeBytes()
  expect((await stat(join(to, orphan))).mtime).toEqual(time)
})
