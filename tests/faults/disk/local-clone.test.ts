import { randomBytes } from 'node:crypto'
import { open, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MB } from '../../../server/contract'
import { DiskBlobs } from '../../../server/data/blobs/disk-blobs'
import { named, noRoot } from '../../support/system/rounds'
import { aVolume } from '../support/volume'

const used = async (dir: string) => {
  const { blocks, bfree, bsize } = await statfs(dir)
  return (blocks - bfree) * bsize
}

test.skipIf(noRoot)(
  named('a file on a disk with clones uses no extra space, and is independent afterwards'),
  async () => {
    const { dir } = await aVolume('xfs')
    const [path, bytes] = [join(dir, 'rocket.apk'), randomBytes(64 * MB)]
    const blobs = await DiskBlobs.open(join(dir, 'data'))
    await writeFile(path, bytes, { flush: true, mode: 0o400 })
    const before = await used(dir)

    const source = await open(path)
    const draft = await blobs.clone(source, path)
    await source.close()
    const { blobId, size } = await draft!.publish()
    const taken = (await used(dir)) - before
    await writeFile(path, 'other bytes')

    expect(size).toBe(bytes.length)
    expect(taken).toBeLessThan(MB)
    const blob = await blobs.open(blobId)
    expect((await blob.stat()).mode & 0o777).toBe(0o600)
    expect((await blob.readFile()).equals(bytes)).toBe(true)
    await blob.close()
  },
)
