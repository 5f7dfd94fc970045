import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { endInTime, type Options } from './bound-replies'
import { notS3, type S3Session } from './s3-session'
import { statusOf } from './sdk-errors'

/** The metadata that we give an object. */
export interface ObjectAbout {
  /** Its media type. */
  type: string
  disposition: string
  sha256: string
  owner: string
}

/** The metadata as S3 takes it. */
export const describeObject = ({ type, disposition, sha256, owner }: ObjectAbout) => ({
  ContentType: type,
  ContentDisposition: disposition,
  Metadata: { sha256, owner },
})

/** The metadata of an object in the store. */
export interface ObjectHead {
  size: number
  /** With its quotes. */
  etag: string
  at: Date
  /** From our metadata. */
  sha256?: string | undefined
  owner?: string | undefined
}

export interface UploadedPart {
  etag: string
  size: number
}

/** A slower store cannot be checked, in bytes per ms. */
export const LEAST_PACE = 10

/** S3 allows no more parts of an object. */
const MOST_PARTS = 10_000

/** The codes for an unknown upload; Ceph answers ListParts with the second one. */
const NO_UPLOAD = ['NoSuchUpload', 'NoSuchKey']

/** The calls of S3 that a bucket needs; each throws BucketError, or the reason of its signal. */
export class S3Calls {
  constructor(private readonly session: S3Session) {}

  /** Begins an upload in parts, and returns its id. */
  async begin(key: string, about: ObjectAbout | undefined, signal?: AbortSignal): Promise<string> {
    const command = new CreateMultipartUploadCommand({
      ...this.session.at(key),
      ...(about && describeObject(about)),
    })
    const { UploadId } = await this.session.send(command, signal)
    return UploadId ?? notS3()
  }

  /** The store refuses the part if its bytes do not have this MD5. Reads `body` once. */
  async putPart(
    key: string,
    part: { uploadId: string; number: number; body: Readable; length: number; md5: Buffer },
    signal?: AbortSignal,
  ): Promise<string> {
    const { uploadId, number, body, length, md5 } = part
    const upload = { ...this.session.at(key), UploadId: uploadId, PartNumber: number }
    const content = { Body: body, ContentLength: length, ContentMD5: md5.toString('base64') }
    const command = new UploadPartCommand({ ...upload, ...content })
    const isSent = new Promise((resolve) => body.once('end', resolve))
    const { ETag } = await this.session.send(command, signal, { isSent })
    return ETag ?? notS3()
  }

  /** The parts of an upload by number; undefined: the store does not know the upload. */
  async listParts(
    key: string,
    uploadId: string,
    signal?: AbortSignal,
  ): Promise<Map<number, UploadedPart> | undefined> {
    const parts = new Map<number, UploadedPart>()
    for (let marker: string | undefined; ;) {
      const command = new ListPartsCommand({
        ...this.session.at(key),
        UploadId: uploadId,
        PartNumberMarker: marker,
      })
      const page = await this.session.sendUnless(NO_UPLOAD, command, signal)
      if (page === undefined) return undefined
      for (const { PartNumber = 0, ETag = '', Size = 0 } of page.Parts ?? [])
        parts.set(PartNumber, { etag: ETag, size: Size })
      if (page.IsTruncated !== true || parts.size > MOST_PARTS) return parts
      marker = page.NextPartNumberMarker
    }
  }

  async complete(
    key: string,
    uploadId: string,
    etags: readonly string[],
    signal?: AbortSignal,
  ): Promise<void> {
    const Parts = etags.map((ETag, index) => ({ PartNumber: index + 1, ETag }))
    const upload = { ...this.session.at(key), UploadId: uploadId, MultipartUpload: { Parts } }
    const command = new CompleteMultipartUploadCommand(upload)
    await this.session.send(command, signal)
  }

  /** Does nothing if the store does not know the upload. */
  async abort(key: string, uploadId: string): Promise<void> {
    const command = new AbortMultipartUploadCommand({ ...this.session.at(key), UploadId: uploadId })
    await this.session.sendUnless(NO_UPLOAD, command)
  }

  /** Undefined: there is no such object. */
  async head(key: string, signal?: AbortSignal): Promise<ObjectHead | undefined> {
    const command = new HeadObjectCommand(this.session.at(key))
    try {
      const call = (options: Options) => this.session.client.send(command, options)
      const { ContentLength, ETag, LastModified, Metadata } = await endInTime(
        this.session.limits.ms,
        signal,
        call,
      )
      const { sha256, owner } = Metadata ?? {}
      return {
        size: ContentLength ?? notS3(),
        etag: ETag ?? '',
        at: LastModified ?? new Date(),
        sha256,
        owner,
      }
    } catch (cause) {
      signal?.throwIfAborted()
      if (statusOf(cause) === undefined) throw this.session.errorOf(cause)
      return await this.#whyNoHead(key, cause, signal)
    }
  }

  /**
   * The answer to a HEAD has no body; that to a GET says whether the object, the bucket or the
   * permission is missing.
   */
  async #whyNoHead(
    key: string,
    refused: unknown,
    signal: AbortSignal | undefined,
  ): Promise<undefined> {
    const command = new GetObjectCommand({ ...this.session.at(key), Range: 'bytes=0-0' })
    const object = await this.session.sendUnless(['NoSuchKey'], command, signal)
    if (object === undefined) return undefined
    if (object.Body instanceof Readable) object.Body.destroy()
    throw this.session.errorOf(refused)
  }

  /**
   * Reads the whole object, and returns its SHA-256; another one if it has more than `size` bytes.
   */
  hash(key: string, size: number, signal?: AbortSignal): Promise<string> {
    const command = new GetObjectCommand(this.session.at(key))
    const call = async (options: Options) => {
      const { Body } = await this.session.client.send(command, options)
      const digest = createHash('sha256')
      let remaining = size
      for await (const chunk of Body instanceof Readable ? Body : notS3()) {
        digest.update(chunk as Buffer)
        remaining -= (chunk as Buffer).length
        if (remaining < 0) break
      }
      return digest.digest('hex')
    }
    return this.session.try(signal, call, { moreMs: size / LEAST_PACE })
  }

  /** Does nothing if there is no such object, which Google Cloud Storage answers with an error. */
  async remove(key: string): Promise<void> {
    const command = new DeleteObjectCommand(this.session.at(key))
    await this.session.sendUnless(['NoSuchKey'], command)
  }

  /** Objects whose keys begin with the prefix, without it; `within` narrows them. */
  async *list(within = ''): AsyncGenerator<{ key: string; size: number; etag: string; at: Date }> {
    const { bucket, prefix } = this.session.place
    for (let token: string | undefined; ;) {
      const where = { Bucket: bucket, Prefix: `${prefix}${within}` }
      const command = new ListObjectsV2Command({ ...where, ContinuationToken: token })
      const page = await this.session.send(command)
      for (const { Key = '', Size = 0, ETag = '', LastModified = new Date() } of page.Contents ??
        [])
        yield { key: Key.slice(prefix.length), size: Size, etag: ETag, at: LastModified }
      if (page.IsTruncated !== true) return
      token = page.NextContinuationToken
    }
  }

  /** Uploads that were neither completed nor aborted, as above. */
  async *uploads(within = ''): AsyncGenerator<{ key: string; uploadId: string; at: Date }> {
    const { bucket, prefix } = this.session.place
    const where = { Bucket: bucket, Prefix: `${prefix}${within}` }
    for (let marker: { KeyMarker?: string; UploadIdMarker?: string } = {}; ;) {
      const command = new ListMultipartUploadsCommand({ ...where, ...marker })
      const page = await this.session.send(command)
      for (const { Key = '', UploadId = '', Initiated = new Date() } of page.Uploads ?? [])
        yield { key: Key.slice(prefix.length), uploadId: UploadId, at: Initiated }
      if (page.IsTruncated !== true || page.NextKeyMarker === undefined) return
      marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker ?? '' }
    }
  }

  /** An address that answers GET for so many seconds. Nothing is sent. */
  sign(key: string, as: { disposition: string; type: string; seconds: number }): Promise<string> {
    const command = new GetObjectCommand({
      ...this.session.at(key),
      ResponseContentDisposition: as.disposition,
      ResponseContentType: as.type,
      ResponseCacheControl: 'private, no-store',
    })
    return getSignedUrl(this.session.client, command, { expiresIn: as.seconds })
  }
}
