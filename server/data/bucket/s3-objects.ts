import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  PutObjectCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { ByteRange } from '../../core/byte-source'
import { describeObject, LEAST_PACE, type ObjectAbout } from './s3-calls'
import { notS3, type S3Session } from './s3-session'

/** Copied inside the store in one request, in bytes: a store is silent for so long as it copies. */
const COPY_BYTES = 256 * 1024 * 1024

/**
 * The calls of S3 that read, write and copy objects in one step; each throws BucketError, or the
 * reason of its signal.
 */
export class S3Objects {
  constructor(private readonly session: S3Session) {}

  /**
   * The store refuses the bytes unless they have their MD5. Returns the ETag, with its quotes.
   */
  async put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<string> {
    const ContentMD5 = createHash('md5').update(bytes).digest('base64')
    const command = new PutObjectCommand({ ...this.session.at(key), Body: bytes, ContentMD5 })
    const time = { moreMs: bytes.length / LEAST_PACE }
    const { ETag } = await this.session.send(command, signal, time)
    return ETag ?? notS3()
  }

  /** Undefined if there is no such object, or it has more than `most` bytes. */
  async get(key: string, most: number, signal?: AbortSignal): Promise<Buffer | undefined> {
    const command = new GetObjectCommand(this.session.at(key))
    return this.session.unless(['NoSuchKey'], signal, async (options) => {
      const { Body, ContentLength } = await this.session.client.send(command, options)
      const body = Body instanceof Readable ? Body : notS3()
      if ((ContentLength ?? notS3()) <= most) return buffer(body)
      body.destroy()
      return undefined
    })
  }

  /**
   * The bytes from `start` to `end`, both included. Undefined if there is no such object; fewer
   * where it ends before.
   */
  async read(
    key: string,
    { start, end }: ByteRange,
    signal?: AbortSignal,
  ): Promise<Buffer | undefined> {
    const command = new GetObjectCommand({
      ...this.session.at(key),
      Range: `bytes=${start}-${end}`,
    })
    return this.session.unless(['NoSuchKey'], signal, async (options) => {
      const { Body } = await this.session.client.send(command, options)
      return buffer(Body instanceof Readable ? Body : notS3())
    })
  }

  /** Copies an object of `size` bytes to the key `to` of the whole bucket, inside the store. */
  async copy(
    key: string,
    size: number,
    to: string,
    about: ObjectAbout,
    signal: AbortSignal,
  ): Promise<void> {
    const { Bucket, Key } = this.session.at(key)
    const target = { Bucket, Key: to }
    const source = { CopySource: `${Bucket}/${Key}` }
    const as = describeObject(about)
    if (size <= COPY_BYTES) {
      const command = new CopyObjectCommand({
        ...target,
        ...source,
        ...as,
        MetadataDirective: 'REPLACE',
      })
      await this.session.send(command, signal, { moreMs: size / LEAST_PACE })
      return
    }
    const begin = new CreateMultipartUploadCommand({ ...target, ...as })
    const { UploadId = notS3() } = await this.session.send(begin, signal)
    const upload = { ...target, UploadId }
    try {
      const parts: { PartNumber: number; ETag: string }[] = []
      for (let start = 0; start < size; start += COPY_BYTES) {
        const range = `bytes=${start}-${Math.min(start + COPY_BYTES, size) - 1}`
        const PartNumber = parts.length + 1
        const part = new UploadPartCopyCommand({
          ...upload,
          ...source,
          CopySourceRange: range,
          PartNumber,
        })
        const time = { moreMs: COPY_BYTES / LEAST_PACE }
        const { CopyPartResult } = await this.session.send(part, signal, time)
        parts.push({ PartNumber, ETag: CopyPartResult?.ETag ?? notS3() })
      }
      const complete = new CompleteMultipartUploadCommand({
        ...upload,
        MultipartUpload: { Parts: parts },
      })
      await this.session.send(complete, signal)
    } catch (cause) {
      // The sweep of unfinished uploads finds what stays.
      await this.session.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined)
      throw cause
    }
  }
}
