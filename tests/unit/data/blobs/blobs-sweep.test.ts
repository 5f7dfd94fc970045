import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { DiskBlobs } from '../../../../server/data/blobs/disk-blobs'
import { BucketBlobs } from '../../../../server/cluster/blobs/bucket-blobs'
import { openBlobBucket } from '../../../../server/cluster/blob-bucket'
import { tempDir } from '../../../support/system/temp-dir'
import { choiceOf, KEYS } from '../bucket/a-store'
import { everything, freshBlobs, publish } from '../../../support/data/temp-blobs'

/** When the library began, unless a test is about that. */
const LONG_AGO = new Date(0)
const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000)

test('a sweep removes what earlier runs left, and nothing that is referenced or new', async () => {
  const { dir, blobs: earlier } = await freshBlobs()
  const kept = await publish(earlier, Buffer.from('kept'))
  const orphan = await publish(earlier, Buffer.from('orphan'))
  const left = await earlier.begin()
  left.stream.end('left behind')
  onTestFinished(() => left.discard())
  await writeFile(join(dir, 'tmp', 'README'), 'not ours')
  await writeFile(join(dir, 'blobs', '.DS_Store'), 'not ours')
  const blobs = await DiskBlobs.open(dir)
  const running = await blobs.begin()
  const unnamedYet = await publish(blobs, Buffer.from('new'))
  const isReferenced = (blobId: string) => blobId === kept.blobId
  expect(await blobs.sweep(isReferenced, LONG_AGO)).toEqual({ drafts: 1, orphans: 1 })
  expect(await blobs.sweep(isReferenced, LONG_AGO)).toEqual({ drafts: 0, orphans: 0 })
  await expect(blobs.open(orphan.blobId)).rejects.toMatchObject({ code: 'ENOENT' })
  expect((await everything(blobs, kept.blobId)).toString()).toBe('kept')
  expect((await everything(blobs, unnamedYet.blobId)).toString()).toBe('new')
  running.stream.end('still here')
  expect((await running.publish()).size).toBe(10)
  expect(await readdir(join(dir, 'tmp'))).toEqual(['README'])
})

test('a sweep that is ended changes nothing afterwards', async () => {
  const { dir, blobs: earlier } = await freshBlobs()
  for (let number = 0; number < 20; number++) await publish(earlier, Buffer.from(`${number}`))
  const blobs = await DiskBlobs.open(dir)

  const swept = blobs.sweep(() => false, LONG_AGO)
  await blobs.endSweep()
  const setAside = await readdir(join(dir, 'orphans'))

  expect(setAside.length).toBeLessThan(20)
  expect((await swept).orphans).toBe(setAside.length)
  expect(await blobs.sweep(() => false, LONG_AGO)).toEqual({ drafts: 0, orphans: 0 })
})

test('an orphan waits a week, and comes back when a restored library names it', async () => {
  const { dir, blobs: earlier } = await freshBlobs()
  const [first, second] = [
    await publish(earlier, Buffer.from('1')),
    await publish(earlier, Buffer.from('2')),
  ]
  const blobs = await DiskBlobs.open(dir)
  await blobs.sweep(() => false, LONG_AGO)
  expect((await readdir(join(dir, 'orphans'))).sort()).toEqual([first.blobId, second.blobId].sort())
  await blobs.sweep((blobId) => blobId === first.blobId, LONG_AGO)
  expect((await everything(blobs, first.blobId)).toString()).toBe('1')
  expect(await readdir(join(dir, 'orphans'))).toEqual([second.blobId])
  const later = await DiskBlobs.open(dir, { now: () => inDays(8) })
  await later.sweep((blobId) => blobId === first.blobId, LONG_AGO)
  expect(await readdir(join(dir, 'orphans'))).toEqual([])
  expect((await everything(later, first.blobId)).toString()).toBe('1')
})

test('an orphan that is older than the library is never deleted', async () => {
  for (const began of [undefined, inDays(1)]) {
    const { dir, blobs: earlier } = await freshBlobs()
    const { blobId } = await publish(earlier, Buffer.from('of a lost library'))
    await (await DiskBlobs.open(dir)).sweep(() => false, began)
    await (
      await DiskBlobs.open(dir, { now: () => inDays(400) })
    ).sweep(() => false, began ?? new Date())
    expect(await readdir(join(dir, 'orphans'))).toEqual([blobId])
  }
})

test('the sidecars of a blob are set aside, returned and deleted with it', async () => {
  const { dir, blobs: earlier } = await freshBlobs()
  const [kept, orphan] = [
    await publish(earlier, Buffer.from('kept')),
    await publish(earlier, Buffer.from('orphan')),
  ]
  for (const { blobId } of [kept, orphan])
    await earlier.sidecars.keep(blobId, 'facts.json', Buffer.from('{}'))
  const lonely = '0'.repeat(32)
  await earlier.sidecars.keep(lonely, 'icon.png', Buffer.from('icon'))

  const blobs = await DiskBlobs.open(dir)
  expect(await blobs.sweep((blobId) => blobId === kept.blobId, LONG_AGO)).toEqual({
    drafts: 0,
    orphans: 1,
  })
  const aside = [`${lonely}.icon.png`, orphan.blobId, `${orphan.blobId}.facts.json`]
  expect((await readdir(join(dir, 'orphans'))).sort()).toEqual(aside.sort())
  expect(String(await blobs.sidecar(kept.blobId, 'facts.json'))).toBe('{}')

  await blobs.sweep((blobId) => blobId !== lonely, LONG_AGO)
  expect(String(await blobs.sidecar(orphan.blobId, 'facts.json'))).toBe('{}')
  await blobs.remove(orphan.blobId)
  expect(await blobs.sidecar(orphan.blobId, 'facts.json')).toBeUndefined()
})

test('a sidecar is replaced as a whole, and a name outside the folder is refused', async () => {
  const { dir, blobs } = await freshBlobs()
  const { blobId } = await publish(blobs, Buffer.from('app'))
  const texts = Array.from({ length: 10 }, (_, n) => `facts ${n}`)
  await Promise.all(
    texts.map((text) => blobs.sidecars.keep(blobId, 'facts.json', Buffer.from(text))),
  )
  expect(texts).toContain(String(await blobs.sidecar(blobId, 'facts.json')))
  expect(await readdir(join(dir, 'tmp'))).toEqual([])

  await expect(blobs.sidecar('../../secrets', 'facts.json')).rejects.toThrow('is not a blob ID')
  await blobs.sidecars.removeOthers(blobId, ['icon.png'])
  expect(await readdir(join(dir, 'blobs', blobId.slice(0, 2)))).toEqual([blobId])
})

test('a host of a cluster that only reads removes the drafts that it left as the primary', async () => {
  const dir = await tempDir()
  const blobBucket = await openBlobBucket(choiceOf('https://store.invalid'), KEYS)
  const open = (isReplica: boolean) =>
    BucketBlobs.open({
      dir,
      blobBucket,
      now: () => new Date(),
      confirm: () => Promise.resolve(),
      isReplica,
    })
  const left = await (await open(false)).begin()
  onTestFinished(() => left.discard())
  await open(true)
  expect(await readdir(join(dir, 'tmp'))).toEqual([])
})
