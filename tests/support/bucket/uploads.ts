import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { AppError } from '../../../server/core/errors'
import type { PartialUploads, SafeBytes, UploadBytes } from '../../../server/data/blobs/blob-store'
import { BucketPartials } from '../../../server/cluster/appends/bucket-partials'
import { openBlobBucket, type BlobBucket } from '../../../server/cluster/blob-bucket'
import { receiveAppend } from '../../../server/features/resumable-uploads/receive-append'
import { tempDir } from '../system/temp-dir'
import type { Engine } from './engine'

/** Of most tests, in bytes: the order of what happens does not depend on it. */
export const PART = 64 * 1024

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

export const keysIn = async ({ calls }: BlobBucket) =>
  (await all(calls.list())).map(({ key }) => key).sort()

interface HowSent {
  chunk?: number
  /** Sends more than was announced, which the host refuses. */
  isTooLong?: boolean
}

/** An upload with its record, as the library keeps it. */
export class Upload {
  acknowledged = 0

  private constructor(
    readonly bytes: Buffer,
    public record: UploadBytes,
  ) {}

  static async begin(partial: PartialUploads, bytes: Buffer): Promise<Upload> {
    return new Upload(bytes, { ...(await partial.create()), size: bytes.length, offset: 0 })
  }

  get isComplete(): boolean {
    return this.record.offset === this.bytes.length
  }

  /** Sends bytes from where the record ends, and throws what a client would be told. */
  async send(
    partial: PartialUploads,
    length = Infinity,
    { chunk = 10_000, isTooLong = false }: HowSent = {},
  ) {
    const before = this.record
    const body = this.bytes.subarray(before.offset, before.offset + length)
    const slices = Array.from({ length: Math.ceil(body.length / chunk) }, (_, index) =>
      Buffer.from(body.subarray(index * chunk, (index + 1) * chunk)),
    )
    if (isTooLong) slices.push(Buffer.alloc(1))
    const { safe, failure } = await receiveAppend(partial, before, {
      body: Readable.from(slices) as IncomingMessage,
      pace: () => undefined,
      onBytes(total) {
        if (isTooLong && total > before.offset + body.length)
          throw new AppError('too_large', 'too long')
        return undefined
      },
      onSafe: async (now) => {
        await pause(0)
        this.#write(now)
      },
    })
    this.#write(safe)
    this.acknowledged = safe.offset
    partial.accept(this.record)
    if (failure !== undefined) throw failure
  }

  publish(partial: PartialUploads) {
    return partial.draft(this.record).publish()
  }

  /** The record survives everything, so it may have gone through JSON. */
  #write(safe: SafeBytes): void {
    this.record = JSON.parse(JSON.stringify({ ...this.record, ...safe })) as UploadBytes
  }
}

/** A bucket, and hosts that take it over one after the other. */
export async function aCluster(engine: Engine, endpoint = engine.endpoint) {
  const blobBucket = await openBlobBucket({ ...(await engine.makeBucket()), endpoint }, engine.keys)
  onTestFinished(() => blobBucket.session.close())
  const dir = await tempDir()
  const host = (more: { now?: () => Date; safeEveryMs?: number; partBytes?: number } = {}) =>
    new BucketPartials({ blobBucket, dir, now: () => new Date(), partBytes: PART, ...more })
  return { blobBucket, host }
}
