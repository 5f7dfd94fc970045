import { randomUUID } from 'node:crypto'
import { open } from 'node:fs/promises'
import {
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { BucketKeys, BucketPlace } from '../../../server/data/bucket/bucket-choice'
import { PART_BYTES } from '../../../server/data/bucket/multipart-writer'

/** Sends a file to a bucket as a program does that only sends: part by part, without a digest. */
export async function sendToBucket(
  path: string,
  { place, keys }: { place: BucketPlace; keys: BucketKeys },
): Promise<void> {
  const { endpoint, region, bucket: Bucket } = place
  const careful = { requestChecksumCalculation: 'WHEN_REQUIRED', maxAttempts: 1 } as const
  const client = new S3Client({
    ...{ endpoint, region, forcePathStyle: true, credentials: keys },
    ...careful,
  })

  const object = { Bucket, Key: randomUUID() }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(object))
  const file = await open(path)
  const { size } = await file.stat()
  const buffer = Buffer.allocUnsafeSlow(PART_BYTES)
  const Parts: { ETag: string | undefined; PartNumber: number }[] = []

  for (let start = 0; start < size; start += PART_BYTES) {
    const { bytesRead } = await file.read(buffer, 0, PART_BYTES, start)
    const PartNumber = Parts.length + 1
    const Body = buffer.subarray(0, bytesRead)
    const { ETag } = await client.send(
      new UploadPartCommand({ ...object, UploadId, PartNumber, Body }),
    )
    Parts.push({ ETag, PartNumber })
  }

  await file.close()
  await client.send(
    new CompleteMultipartUploadCommand({ ...object, UploadId, MultipartUpload: { Parts } }),
  )
  client.destroy()
}
