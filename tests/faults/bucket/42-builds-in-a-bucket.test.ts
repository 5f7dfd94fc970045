import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../scripts/dev/free-port'
import { writeOwner } from '../../../server/cluster/blobs/owner'
import { openBlobBucket, type BlobBucket } from '../../../server/cluster/blob-bucket'
import { PART_BYTES } from '../../../server/data/bucket/multipart-writer'
import { noEngine, withEngine } from '../../support/bucket/engine'
import { startInBucket, type BucketCluster } from '../../support/cluster/in-bucket'
import { slipway, until } from '../../support/world/process'
import { sendUpload, upload, uploadForm } from '../../support/world/upload'
import { clientAt, fetchAt } from '../../support/world/place'

const SIZE = 3_000_000
/** Sent in three parts, the last of which is short. */
const SIZE_IN_PARTS = 2 * PART_BYTES + 7

let cluster: BucketCluster
beforeAll(async () => {
  if (noEngine === undefined) cluster = await startInBucket()
})
afterAll(async () => {
  if (noEngine === undefined) await cluster.end()
})

const at = (host: number) => fetchAt(cluster.hosts.at(host))
async function count({ calls }: BlobBucket): Promise<number> {
  let objects = 0
  for await (const _ of calls.list('blobs/')) objects++
  return objects
}

const bytesOf = async (reply: Response) => Buffer.from(await reply.arrayBuffer())

async function publish(
  host: number,
  isPublic: boolean,
  size = SIZE,
): Promise<{ id: string; bytes: Buffer<ArrayBuffer> }> {
  const bytes: Buffer<ArrayBuffer> = randomBytes(size)
  const build = new File([bytes], 'build.bin')
  return { bytes, id: (await upload(at(host), build, { is_public: String(isPublic) })).file_id }
}

describe.skipIf(noEngine)(withEngine('builds in a bucket'), () => {
  test('42: a build that one host took is read at every host, and a deletion takes it from the bucket', async () => {
    const { bucket, folders, store } = cluster
    const blobBucket = await openBlobBucket(bucket, store.keys)
    onTestFinished(() => blobBucket.session.close())
    const before = await count(blobBucket)
    const { id, bytes } = await publish(1, false, SIZE_IN_PARTS)
    expect(await count(blobBucket)).toBe(before + 1)
    for (const host of [0, 1]) {
      const whole = await bytesOf(await at(host)(`/api/files/${id}/download`))
      expect(whole.equals(bytes)).toBe(true)
      const part = await at(host)(`/api/files/${id}/download`, {
        headers: { range: 'bytes=1048570-1048585' },
      })
      expect([part.status, await bytesOf(part)]).toEqual([
        206,
        bytes.subarray(1_048_570, 1_048_586),
      ])
      const stranger = await fetch(`${cluster.hosts.urls[host]}/api/files/${id}/download`, {
        redirect: 'manual',
      })
      expect([stranger.status, stranger.headers.get('location')]).toEqual([404, null])
    }
    // Nothing of it stays at the hosts but the copy for those who need a file.
    const left = await Promise.all(folders.map((folder) => readdir(join(folder, 'tmp'))))
    expect(left.flat().filter((name) => !name.endsWith('.copy'))).toEqual([])
    const client = clientAt(cluster.hosts.at(0))
    await client.files.remove({ id })
    await client.trash.remove({ id: (await client.trash.list({})).items[0]!.trash_id })
    await until(async () => (await count(blobBucket)) === before)
  })

  test('42: while the bucket is away, nothing is half-saved, and a download says when to try again', async () => {
    const { store } = cluster
    const { id, bytes } = await publish(0, true)
    await store.kill()
    const download = fetch(`${cluster.hosts.urls[0]}/api/files/${id}/download`)
    const sent = sendUpload(at(0), uploadForm(new File([bytes], 'late.bin')))
    for (const reply of await Promise.all([download, sent])) {
      expect(await reply.json()).toMatchObject({
        code: 'busy',
        error: expect.stringContaining('does not answer'),
      })
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '5'])
    }
    await store.revive()
    expect(await bytesOf(await fetch(`${cluster.hosts.urls[1]}/api/files/${id}/download`))).toEqual(
      bytes,
    )
    const { files } = await clientAt(cluster.hosts.at(1)).files.mine({})
    expect(files.map(({ filename }) => filename)).not.toContain('late.bin')
  })

  test('42: a host with another bucket, key or place of the bytes says so, and does not start', async () => {
    const { base, bucket, store } = cluster
    const serve = async (more: object) => {
      const file = await cluster.writeFile(more)
      const place = ['--data', join(base, 'host-c'), '--cluster', file]
      return (await slipway('serve', '--port', '0', ...place)).output
    }
    const wrong = (change: Partial<typeof bucket>) => serve({ bucket: { ...bucket, ...change } })
    expect(await wrong({ bucket: 'none-of-ours' })).toContain(
      'The bucket does not exist. Check "bucket" in the file',
    )
    expect(await wrong({ secret_access_key: 'wrong' })).toContain(
      'The bucket refuses the key. Check "bucket"',
    )
    expect(await wrong({ endpoint: `http://127.0.0.1:${await freePort()}` })).toContain(
      'The bucket does not answer.',
    )
    expect(await wrong({ prefix: 'elsewhere/' })).toContain('has no builds of this cluster')
    expect(await serve({ bucket: undefined })).toContain('is not valid: bucket is missing')
    const blobBucket = await openBlobBucket({ ...bucket, prefix: 'others/' }, store.keys)
    onTestFinished(() => blobBucket.session.close())
    await writeOwner(blobBucket, { id: 'another', state: 'member' })
    expect(await wrong({ prefix: 'others/' })).toContain('has the builds of another cluster')
  })
})
