import { createHash, randomBytes } from 'node:crypto'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import { expect } from 'vitest'
import type { BucketSettings } from '../../../server/data/settings/settings-schema'
import type { TestServer } from '../world/test-server'
import { aFile, aUser } from '../world/factories'
import type { Engine } from './engine'
import type { FileRecord } from '../../../server/data/records/file-records'

export const MIB = 1024 * 1024

/** The settings of a bucket as a host stores them; files of 1 MiB and more are copied. */
export type StoredChoice = Omit<BucketSettings, 'use'>

/** A new bucket of the engine. */
export async function aBucket(
  engine: Engine,
  more: Partial<StoredChoice> = {},
): Promise<StoredChoice> {
  const bucket = await engine.makeBucket()
  return { ...bucket, least_bytes: MIB, seconds: 3600, bytes_per_second: null, ...more }
}

const clientFor = ({ keys }: Engine, { endpoint, region }: StoredChoice) =>
  new S3Client({ endpoint, region, forcePathStyle: true, credentials: keys })

/** What is in a bucket: the keys of objects without their prefix, and unfinished uploads. */
export async function contentsOf(engine: Engine, choice: StoredChoice) {
  const client = clientFor(engine, choice)
  const { bucket: Bucket, prefix } = choice
  try {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }))
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
    return {
      objects: Contents.map(({ Key = '' }) => Key.replace(prefix, '')).sort(),
      uploads: Uploads.length,
    }
  } finally {
    client.destroy()
  }
}

/** Deletes all objects and unfinished uploads, as a person can in the provider's console. */
export async function emptyBucket(engine: Engine, choice: StoredChoice): Promise<void> {
  const client = clientFor(engine, choice)
  const { bucket: Bucket } = choice
  try {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }))
    for (const { Key } of Contents) await client.send(new DeleteObjectCommand({ Bucket, Key }))
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket }))
    for (const { Key, UploadId } of Uploads)
      await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
  } finally {
    client.destroy()
  }
}

export interface Owned {
  owner: Awaited<ReturnType<typeof aUser>>
  /** Uploads a public file of random bytes. */
  file: (size: number, more?: { filename?: string; is_public?: boolean }) => Promise<FileRecord>
}

/** An account with files. */
export async function anOwner(server: TestServer, username = 'alice'): Promise<Owned> {
  const owner = await aUser(server, username, { tier: 'Pro' })
  return {
    owner,
    async file(size, { filename = 'rocket.bin', is_public = true } = {}) {
      const bytes = new Uint8Array(randomBytes(size))
      const { file_id } = await aFile(server, owner, { filename, is_public, bytes })
      const record = server.inside.files.find(file_id)
      if (!record) throw new Error('The upload has left no record')
      return record
    },
  }
}

export const sha256Of = async (response: Response): Promise<string> =>
  createHash('sha256')
    .update(Buffer.from(await response.arrayBuffer()))
    .digest('hex')

/** The address that a visitor would be redirected to. */
export const addressOf = (server: TestServer, file: FileRecord): Promise<string | undefined> =>
  server.inside.publicCopies.presignUrl(file, {
    filename: file.filename,
    type: 'application/octet-stream',
  })

/** The same, once the store is quick enough for visitors. */
export async function addressed(server: TestServer, file: FileRecord): Promise<string> {
  let address: string | undefined
  await expect.poll(async () => (address = await addressOf(server, file))).toBeDefined()
  return address ?? ''
}
