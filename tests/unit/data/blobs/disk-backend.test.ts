import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DiskBackend } from '../../../../server/data/blobs/disk-backend'
import { tempDir } from '../../../support/system/temp-dir'
import { freshBlobs, publish } from '../../../support/data/temp-blobs'

test('a folder that no host uses is read without a change', async () => {
  const { dir, blobs } = await freshBlobs()
  const { blobId } = await publish(blobs, Buffer.from('kept'))
  await blobs.sidecars.keep(blobId, 'facts.json', Buffer.from('{}'))
  await writeFile(join(dir, 'blobs', blobId.slice(0, 2), 'notes.txt'), 'not a blob')
  const elsewhere = await tempDir()
  const before = await readdir(dir, { recursive: true })

  const backend = DiskBackend.in(dir)
  const ids: string[] = []
  for await (const id of backend.ids()) ids.push(id)
  expect(ids).toEqual([blobId])
  expect(await backend.find(blobId)).toMatchObject({ size: 4 })
  expect(await backend.find('0'.repeat(32))).toBeUndefined()
  expect(await backend.sidecar(blobId, 'facts.json', 1)).toBeUndefined()
  expect((await backend.sidecar(blobId, 'facts.json', 2))?.toString()).toBe('{}')
  expect(await readdir(dir, { recursive: true })).toEqual(before)

  for await (const id of DiskBackend.in(elsewhere).ids()) expect.fail(id)
  expect(await readdir(elsewhere)).toEqual([])
})
