import { randomBytes } from 'node:crypto'
import {
  chmod,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import type { BlobDraft } from '../../../../server/data/blobs/drafts'
import { DiskBlobs } from '../../../../server/data/blobs/disk-blobs'
import { everything, freshBlobs, publish } from '../../../support/data/temp-blobs'
import { tempDir } from '../../../support/system/temp-dir'
import { sha256 } from '../../../support/system/sha256'

const openFiles = async () => (await readdir('/proc/self/fd')).length

test.each([1, 1000, 5_000_000])('%i bytes come out as they went in', async (size) => {
  const { blobs } = await freshBlobs()
  const bytes = randomBytes(size)
  const draft = await blobs.begin()
  for (let at = 0; at < size; at += 70_001) draft.stream.write(bytes.subarray(at, at + 70_001))
  draft.stream.end()
  const { blobId, ...rest } = await draft.publish()
  expect(rest).toEqual({ size, sha256: sha256(bytes) })
  expect(await blobs.digests(blobId, size)).toEqual({ sha256: sha256(bytes), crc32: crc32(bytes) })
  expect(draft.bytes).toBe(size)
  expect((await everything(blobs, blobId)).equals(bytes)).toBe(true)
})

test('nothing at all can be published too', async () => {
  const { blobs } = await freshBlobs()
  expect(await publish(blobs, new Uint8Array())).toMatchObject({
    size: 0,
    sha256: sha256(new Uint8Array()),
  })
})

test('names are random, and only the owner may read', async () => {
  const { dir, blobs } = await freshBlobs()
  const draft = await blobs.begin()
  expect((await stat(draft.path)).mode & 0o777).toBe(0o600)
  await draft.discard()
  const { blobId } = await publish(blobs, Buffer.from('x'))
  expect(blobId).toMatch(/^[0-9a-f]{32}$/)
  const shard = join(dir, 'blobs', blobId.slice(0, 2))
  expect((await stat(join(shard, blobId))).mode & 0o777).toBe(0o600)
  for (const path of ['tmp', 'blobs', 'orphans'])
    expect((await stat(join(dir, path))).mode & 0o777).toBe(0o700)
  expect((await stat(shard)).mode & 0o777).toBe(0o700)
  expect(await readdir(join(dir, 'tmp'))).toEqual([])
})

test('a draft can be looked into before it is published, and is nowhere else', async () => {
  const { dir, blobs } = await freshBlobs()
  const draft = await blobs.begin()
  await pipeline(Readable.from([Buffer.from('package')]), draft.stream)
  expect(await readFile(draft.path, 'utf8')).toBe('package')
  expect(await readdir(join(dir, 'blobs'))).toEqual([])
  const { blobId } = await draft.publish()
  expect(draft.path).toBe(join(dir, 'blobs', blobId.slice(0, 2), blobId))
})

test('the source waits for the disk', async () => {
  const { dir } = await freshBlobs()
  const blobs = await DiskBlobs.open(dir, { openFile: slowFile })
  const draft = await blobs.begin()
  let offered = 0
  const source = Readable.from(
    (function* () {
      for (; offered < 50; offered++) yield Buffer.alloc(512 * 1024)
    })(),
  )
  const sending = pipeline(source, draft.stream)
  await pause(30)
  expect(offered).toBeLessThan(20)
  await sending
  expect((await draft.publish()).size).toBe(25 * 1024 * 1024)
})

/** A file that takes at most a part of each write, and its time. */
async function slowFile(path: string, flags: number, mode: number) {
  const file = await open(path, flags, mode)
  const writev = file.writev.bind(file)
  file.writev = async (buffers, position) => {
    await pause(2)
    return writev(
      [...buffers].slice(0, 1).map((buffer) => (buffer as Buffer).subarray(0, 300_000)) as never,
      position,
    )
  }
  return file
}

test('onBytes hears of bytes before they are written, and its error stops them', async () => {
  const { blobs } = await freshBlobs()
  const totals: number[] = []
  const draft = await blobs.begin({
    onBytes: (total) => {
      totals.push(total)
      if (total > 25) throw Object.assign(new Error('too large'), { code: 'too_large' })
    },
  })
  const source = Readable.from(
    [1, 2, 3, 4].map(() => Buffer.alloc(10)),
    { highWaterMark: 1 },
  )
  await expect(pipeline(source, draft.stream)).rejects.toMatchObject({ code: 'too_large' })
  expect(totals.at(-1)).toBeGreaterThan(25)
  expect(draft.bytes).toBeLessThanOrEqual(20)
  await expect(draft.publish()).rejects.toThrow()
  await draft.discard()
})

test.each(['writev', 'datasync', 'sync'] as const)(
  'a full disk (%s) surfaces as ENOSPC, and nothing is left',
  async (operation) => {
    const dir = await tempDir()
    const blobs = await DiskBlobs.open(dir, {
      openFile: async (path, flags, mode) => {
        const file = await open(path, flags, mode)
        file[operation] = () =>
          Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }))
        return file
      },
    })
    const before = await openFiles()
    const draft = await blobs.begin()
    const upload = async () => {
      await pipeline(
        Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(1024 * 1024))),
        draft.stream,
      )
      return draft.publish()
    }
    await expect(upload()).rejects.toMatchObject({ code: 'ENOSPC' })
    await draft.discard()
    expect(await readdir(join(dir, 'tmp'))).toEqual([])
    expect(await readdir(join(dir, 'blobs'))).toEqual([])
    await expect.poll(openFiles).toBeLessThanOrEqual(before)
  },
)

test('a draft can be discarded at any moment, and leaves neither file nor descriptor', async () => {
  const { dir, blobs } = await freshBlobs()
  const before = await openFiles()
  const moments: ((draft: BlobDraft) => unknown)[] = [
    () => undefined,
    (draft) => draft.stream.write(Buffer.alloc(3_000_000)),
    (draft) => [1, 2, 3].map(() => draft.stream.write(Buffer.alloc(900_000))),
    async (draft) => {
      draft.stream.write(Buffer.alloc(3_000_000))
      await pause(1)
    },
    (draft) => draft.stream.end(Buffer.alloc(3_000_000)),
    (draft) => draft.stream.destroy(),
    (draft) => draft.stream.destroy(new Error('aborted')),
    (draft) => pipeline(Readable.from([Buffer.alloc(10)]), draft.stream),
    (draft) => rm(draft.path),
  ]
  for (const moment of moments) {
    const draft = await blobs.begin()
    await moment(draft)
    await Promise.all([draft.discard(), draft.discard()])
    await draft.discard()
    await expect(draft.publish()).rejects.toThrow('discarded')
    draft.stream.write('late', () => undefined)
  }
  expect(await readdir(join(dir, 'tmp'))).toEqual([])
  await expect.poll(openFiles).toBeLessThanOrEqual(before)
})

test('discarding what is being published waits, and keeps it', async () => {
  const { blobs } = await freshBlobs()
  const draft = await blobs.begin()
  draft.stream.end(Buffer.from('kept'))
  const publishing = draft.publish()
  await draft.discard()
  expect((await everything(blobs, (await publishing).blobId)).toString()).toBe('kept')
  await expect(draft.publish()).rejects.toThrow('already')
})

test('a draft whose stream has not ended cannot be published', async () => {
  const { dir, blobs } = await freshBlobs()
  const draft = await blobs.begin()
  draft.stream.write('half')
  await expect(draft.publish()).rejects.toThrow('End the stream')
  await draft.discard()
  expect(await readdir(join(dir, 'tmp'))).toEqual([])
})

test('removing twice is removing once, and what is removed cannot be opened', async () => {
  const { blobs } = await freshBlobs()
  const { blobId } = await publish(blobs, Buffer.from('x'))
  await blobs.remove(blobId)
  await blobs.remove(blobId)
  await expect(blobs.open(blobId)).rejects.toMatchObject({ code: 'ENOENT' })
})

test.each([
  '',
  '../secrets.json',
  'ab/../../x',
  'A'.repeat(32),
  'a'.repeat(31),
  `${'a'.repeat(32)}\n`,
  '0'.repeat(33),
])('%j is not a blob ID', async (id) => {
  const { blobs } = await freshBlobs()
  await expect((async () => blobs.open(id))()).rejects.toThrow('is not a blob ID')
  await expect(blobs.remove(id)).rejects.toThrow('is not a blob ID')
})

test('a link in the place of a blob is not followed', async () => {
  const { dir, blobs } = await freshBlobs()
  const { blobId } = await publish(blobs, Buffer.from('x'))
  const path = join(dir, 'blobs', blobId.slice(0, 2), blobId)
  await rm(path)
  await writeFile(join(dir, 'secrets.json'), 'secret')
  await symlink(join(dir, 'secrets.json'), path)
  await expect(blobs.open(blobId)).rejects.toMatchObject({ code: 'ELOOP' })
})

test('folders that were open to others are closed to them', async () => {
  const dir = await tempDir()
  await mkdir(join(dir, 'blobs'))
  await chmod(join(dir, 'blobs'), 0o755)
  await DiskBlobs.open(dir)
  expect((await stat(join(dir, 'blobs'))).mode & 0o777).toBe(0o700)
})

test('the free space is that of the volume', async () => {
  const { blobs } = await freshBlobs()
  expect(await blobs.free()).toBeGreaterThan(1024 * 1024)
})
