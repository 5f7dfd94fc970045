import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { blobIdsIn, blobPath } from '../../support/kept-bytes'
import { verify } from '../../../server/data/repair/verify'
import { Host, slipway, until } from '../../support/world/process'
import { aCommitLog, publish } from '../../support/crash/publishing'
import { register } from '../../support/world/place'
import { tempDir } from '../../support/system/temp-dir'

test('4: verify --read-data finds nothing after a crash, and names changed, truncated or missing files', async () => {
  const base = await tempDir()
  const dir = join(base, 'data')
  const host = await Host.start(dir)
  const place = await register(host)
  const ledger = await aCommitLog(place)
  const work = publish(place, ledger)
  await until(async () => ledger.files.size >= 10)
  await host.kill()
  await work
  const verifying = () => slipway('verify', '--read-data', '--data', dir)
  expect((await verifying()).code).toBe(0)

  const [changed = '', cut = '', gone = ''] = await promised(dir)
  const file = await open(blobPath(dir, changed), 'r+')
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, 0)
  await file.write(Buffer.from([buffer[0]! ^ 1]), 0, 1, 0)
  await file.close()
  await (await open(blobPath(dir, cut), 'w')).close()
  await rm(blobPath(dir, gone))

  const { code, output } = await verifying()
  expect(code).toBe(1)
  for (const blobId of [changed, cut, gone])
    expect(output.match(new RegExp(`blob ${blobId}`, 'g'))).toHaveLength(1)
  expect((await verify(dir, { readData: true })).problems).toHaveLength(3)
})

/** The blobs that a record names; a crash may have left others. */
async function promised(dir: string): Promise<string[]> {
  const host = await Host.start(dir)
  await host.stop()
  return blobIdsIn(dir)
}
