import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { Bucket } from '../../../server/data/bucket/bucket'
import type { BucketPlace, BucketKeys } from '../../../server/data/bucket/bucket-choice'
import { PART_BYTES } from '../../../server/data/bucket/copy'
import { Drafts } from '../../../server/data/blobs/drafts'
import { BucketShelf } from '../../../server/data/bucket-blobs/bucket-shelf'
import { openMasters } from '../../../server/data/bucket-blobs/masters'
import { judge, median, row } from '../support/figures'
import { peakMib, residentMib, resetPeak } from '../transfers/process'

interface Job {
  choice: BucketPlace
  keys: BucketKeys
  /** The file to copy. */
  path: string
  /** In bytes. */
  size: number
  rounds: number
}

/**
 * Our copy, with its SHA-256 and MD5, against a plain loop over the parts with the same SDK, in turn in this process; and
 * what a cluster does that keeps its builds in the bucket, which writes to the disk and sends from there, against that copy.
 */
export async function compareCopies(job: Job): Promise<void> {
  const bucket = await Bucket.open(job.choice, job.keys)
  const sha256 = await sha256Of(job.path)
  const ours: Measured[] = []
  const theirs: Measured[] = []
  const masters = await openMasters(job.choice, job.keys)
  const shelf = await BucketShelf.open(masters, dirname(job.path))
  const received: Measured[] = []
  for (let round = 0; round < job.rounds; round++) {
    theirs.push(await measured(() => plainCopy(job)))
    ours.push(await measured(() => ourCopy(bucket, job, sha256)))
    received.push(await measured(() => receive(shelf, job)))
  }
  bucket.close()
  masters.session.close()
  const speed = (all: readonly Measured[]) => job.size / 1024 / 1024 / median(all.map(({ seconds }) => seconds))
  const more = (all: readonly Measured[]) => median(all.map(({ mib }) => mib))
  const ratio = median(ours.map(({ seconds }, round) => (theirs[round]?.seconds ?? NaN) / seconds))
  const rates = [`${speed(ours).toFixed(0)} MiB/s`, `${speed(theirs).toFixed(0)} MiB/s of a plain SDK loop`]
  row('copy of the build', ...rates, ratio.toFixed(2), judge('≥ 0.9', ratio))
  const ofCopy = median(received.map(({ seconds }, round) => (ours[round]?.seconds ?? NaN) / seconds))
  const inBucket = [`${speed(received).toFixed(0)} MiB/s`, `${speed(ours).toFixed(0)} MiB/s of the copy`]
  row('a build received into the bucket', ...inBucket, ofCopy.toFixed(2), judge('≥ 0.8', ofCopy))
  const memory = [`${more(ours).toFixed(0)} MiB`, `${more(theirs).toFixed(0)} MiB of that loop`]
  const difference = more(ours) - more(theirs)
  row('more memory at its peak', ...memory, `${difference.toFixed(0)} MiB more`, judge('≤ 40 MiB more', difference))
  const beyond = more(received) - more(ours)
  const held = [`${more(received).toFixed(0)} MiB`, `${more(ours).toFixed(0)} MiB of the copy`]
  row('more memory to receive it', ...held, `${beyond.toFixed(0)} MiB more`, judge('≤ 40 MiB more', beyond))
}

/** Receives a build from memory, as an upload does. */
async function receive(shelf: BucketShelf, { path, size }: Job): Promise<void> {
  const draft = await new Drafts(dirname(path), shelf, open, shelf.follow).begin({ leastBytes: size })
  await pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), draft.stream)
  const { blobId } = await draft.publish()
  await shelf.remove(blobId)
}

interface Measured {
  seconds: number
  /** How much the memory of the process grew. */
  mib: number
}

async function measured(work: () => Promise<unknown>): Promise<Measured> {
  await resetPeak(process.pid)
  const before = await residentMib(process.pid)
  const start = performance.now()
  await work()
  return { seconds: (performance.now() - start) / 1000, mib: (await peakMib(process.pid)) - before }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

function ourCopy(bucket: Bucket, { path, size }: Job, sha256: string): Promise<unknown> {
  const source = {
    blobId: randomUUID(),
    size,
    sha256,
    filename: 'build',
    type: 'application/octet-stream',
    owner: 'bench',
    open: () => open(path),
  }
  return bucket.copy(source, { parts: [] }, { signal: new AbortController().signal })
}

async function plainCopy({ choice, keys, path, size }: Job): Promise<void> {
  const { endpoint, region, bucket: Bucket } = choice
  const careful = { requestChecksumCalculation: 'WHEN_REQUIRED', maxAttempts: 1 } as const
  const client = new S3Client({ endpoint, region, forcePathStyle: true, credentials: keys, ...careful })
  const at = { Bucket, Key: randomUUID() }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(at))
  const file = await open(path)
  const buffer = Buffer.allocUnsafeSlow(PART_BYTES)
  const Parts: { ETag: string | undefined; PartNumber: number }[] = []
  for (let start = 0; start < size; start += PART_BYTES) {
    const { bytesRead } = await file.read(buffer, 0, PART_BYTES, start)
    const part = { ...at, UploadId, PartNumber: Parts.length + 1, Body: buffer.subarray(0, bytesRead) }
    const { ETag } = await client.send(new UploadPartCommand(part))
    Parts.push({ ETag, PartNumber: part.PartNumber })
  }
  await file.close()
  await client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }))
  client.destroy()
}
