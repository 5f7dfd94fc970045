import { writeFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { openByteCheck } from '../../../server/features/backups/backup-state'
import { blobPath } from '../../support/kept-bytes'
import { aFile } from '../../support/world/factories'
import { test as base } from '../../support/world/http'
import { DAY } from '../../support/world/test-clock'

const test = base.extend({ config: { idleLookMs: 20 } })

test('an idle host finds damaged bytes each day, logs them once, and shows them until they go', async ({
  server,
  clock,
  log,
  alice,
}) => {
  const { file_id: id } = await aFile(server, alice, { filename: 'rocket.bin' })
  const { blobId } = server.inside.files.find(id)!
  await writeFile(blobPath(server.dataDir, blobId), 'damaged')
  const damaged = async () => (await server.inside.backups.shown()).damaged
  const nextCheck = async () => {
    clock.advance(DAY)
    const day = clock.now().toISOString().slice(0, 10)
    const read = () => openByteCheck(server.dataDir).read()
    await expect.poll(read, { timeout: 5000 }).toMatchObject({ day, isDone: true })
  }

  await nextCheck()
  expect(await damaged()).toEqual([`rocket.bin: its bytes differ from the upload (blob ${blobId})`])
  expect(log.takeErrors()).toMatchObject([{ message: 'a stored file is damaged', blobId }])
  await nextCheck()
  expect(await damaged()).toHaveLength(1)
  expect(log.takeErrors()).toEqual([])

  await server.as(alice).files.remove({ id })
  await server.as(alice).trash.empty({})
  await expect.poll(damaged).toEqual([])
})
