import { beforeAll, describe, expect, test } from 'vitest'
import { realSources } from '../../../../server/core/clock'
import { newBlobId } from '../../../../server/data/blobs/blob-names'
import { DiskBackend } from '../../../../server/data/blobs/disk-backend'
import { BucketBlobs } from '../../../../server/cluster/blobs/bucket-blobs'
import { BucketBackend } from '../../../../server/cluster/blobs/bucket-backend'
import { keyOf, type BlobBucket } from '../../../../server/cluster/blob-bucket'
import { fetchBlobs } from '../../../../server/cluster/blobs/move-blobs'
import { hashFile } from '../../../../server/data/copy-files'
import { emptyLibrary } from '../../../../server/data/library/library-data'
import { promisedBlobs, recordsOf } from '../../../../server/data/repair/records'
import { verify } from '../../../../server/data/repair/verify'
import { FileStore } from '../../../../server/features/files/file-store'
import { PackageFacts } from '../../../../server/features/files/package-facts'
import { PackageReader } from '../../../../server/libraries/package-reader/package-reader'
import { noEngine, sharedEngine, withEngine, type Engine } from '../../../support/bucket/engine'
import { aRefusingRelay } from '../../../support/bucket/refusing-relay'
import { aCluster } from '../../../support/bucket/uploads'
import { named, noRoot } from '../../../support/system/rounds'
import { aSmallDisk } from '../../support/volume'
import { TestLog } from '../../../support/world/test-log'
import { openLibrary } from '../../../support/data/temp-library'
import { tempDir } from '../../../support/system/temp-dir'
import { sha256 } from '../../../support/system/sha256'

let engine: Engine
beforeAll(async () => void (engine = await sharedEngine()))

/**
 * A bucket with objects of this content, by filename, the records that promise another one, and
 * what was asked.
 */
async function aBucket(
  objects: Record<string, string>,
  promised: Record<string, string> = objects,
) {
  const { asked, endpoint } = await aRefusingRelay(engine.endpoint)
  const { blobBucket } = await aCluster(engine, endpoint)
  const data = emptyLibrary()
  const { files } = recordsOf(data)
  const blobIds: Record<string, string> = {}
  for (const [filename, text] of Object.entries(promised)) {
    const blobId = newBlobId()
    const { size } = new Blob([text])
    const about = {
      filename,
      size,
      sha256: sha256(Buffer.from(text)),
      blobId,
      isPublic: false,
      version: null,
    }
    files.set(blobId, {
      id: blobId,
      ownerId: 'an-owner',
      ...about,
      uploadedAt: '2026-01-01T00:00:00.000Z',
    })
    blobIds[filename] = blobId
    const object = objects[filename]
    if (object !== undefined) await blobBucket.objects.put(keyOf(blobId), Buffer.from(object))
  }
  return {
    blobBucket,
    data,
    blobIds,
    asked,
    backend: await BucketBackend.open(blobBucket, await tempDir()),
  }
}

const openBlobs = (blobBucket: BlobBucket, dir: string) =>
  BucketBlobs.open({ blobBucket, dir, now: () => new Date(), confirm: () => Promise.resolve() })

describe.skipIf(noEngine)(withEngine('blobs and their records'), () => {
  test('verify asks for one listing, and for each blob that is not in it', async () => {
    const promised = {
      'one.txt': 'one',
      'two.txt': 'two',
      'short.txt': 'longer',
      'lost.txt': 'lost',
    }
    const { data, blobIds, backend, asked } = await aBucket(
      { 'one.txt': 'one', 'two.txt': 'two', 'short.txt': 'long' },
      promised,
    )
    asked.length = 0
    const { problems } = await verify('', {
      readData: false,
      read: () => Promise.resolve({ data }),
      blobs: backend,
    })
    expect(problems.filter((line) => line.includes('bytes'))).toEqual([
      `short.txt: it has 4 bytes instead of 6 (blob ${blobIds['short.txt']})`,
      `lost.txt: its bytes are missing (blob ${blobIds['lost.txt']})`,
    ])
    expect(asked.filter((what) => what.startsWith('HEAD'))).toEqual(['HEAD blob'])
  })

  test('only a package is fetched for its facts, and one that cannot be fetched is read later', async () => {
    const { blobBucket, blobIds, asked } = await aBucket(
      { 'one.txt': 'one' },
      { 'one.txt': 'one', 'lost.apk': 'lost' },
    )
    const [blobs, log] = [await openBlobs(blobBucket, await tempDir()), new TestLog()]
    const store = new FileStore(await openLibrary(await tempDir()), realSources)
    const packages = new PackageReader(log)
    const facts = new PackageFacts({
      ...{ blobs, store, log, packages },
      damaged: new Map(),
      joinReleases: () => undefined,
    })
    const read = (filename: string) =>
      facts.read({ blobId: blobIds[filename] ?? '', ownerId: 'an-owner', filename, size: 3 })
    asked.length = 0
    expect(await read('one.txt')).toEqual({})
    expect(asked).toEqual([])
    expect(await read('lost.apk')).toEqual({})
  })

  test.skipIf(noRoot)(
    named('a package that has no room on the disk of this host is not fetched'),
    async () => {
      const { blobBucket, blobIds, asked } = await aBucket({ 'one.apk': 'one' })
      const blobs = await openBlobs(blobBucket, await aSmallDisk(1))
      asked.length = 0
      const reading = blobs.withFile(blobIds['one.apk'] ?? '', () => Promise.resolve())
      await expect(reading).rejects.toMatchObject({ code: 'ENOSPC' })
      expect(asked).toEqual(['HEAD blob'])
    },
  )

  test('blobs that move back into a data folder are those that were uploaded', async () => {
    const { blobBucket, data, blobIds, backend } = await aBucket(
      { 'one.txt': 'one', 'two.txt': 'twO' },
      { 'one.txt': 'one', 'two.txt': 'two' },
    )
    const dir = await tempDir()
    const fetchAll = () => fetchBlobs({ blobBucket, backend }, dir, promisedBlobs(recordsOf(data)))
    await expect(fetchAll()).rejects.toThrow(
      'The bytes of two.txt in the bucket differ from the upload',
    )
    const path = DiskBackend.in(dir).pathOf(blobIds['two.txt'] ?? '')
    await expect(hashFile(path)).rejects.toMatchObject({ code: 'ENOENT' })
    await blobBucket.objects.put(keyOf(blobIds['two.txt'] ?? ''), Buffer.from('two'))
    await fetchAll()
    expect(await hashFile(path)).toBe(sha256(Buffer.from('two')))
  })
})
