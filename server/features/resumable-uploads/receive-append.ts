import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import { AppError } from '../../core/errors'
import { pumpBody } from '../../http/receive/pump-body'
import type {
  PartialUploads,
  SafeBytes,
  AppendOptions,
  UploadBytes,
} from '../../data/blobs/blob-store'

export interface AppendBody extends AppendOptions {
  body: IncomingMessage
  pace: (bytes: number) => Promise<void> | undefined
}

/** The bytes that are on disk, and the error that ended the append early. */
export interface AppendResult {
  safe: SafeBytes
  failure?: Error | undefined
}

/**
 * Stores the bytes of one append. Received bytes stay even if the client disconnects or the disk is
 * full.
 */
export async function receiveAppend(
  partial: PartialUploads,
  upload: UploadBytes,
  { body, pace, ...options }: AppendBody,
): Promise<AppendResult> {
  const writer = await partial.write(upload, options)
  try {
    let failure = await captureFailure(pumpBody(body, writer, { pace }))
    writer.end()
    failure ??= await captureFailure(finished(writer))

    const settled = await writer.settle()
    // A longer body than announced belongs to another file.
    const isDropped = failure instanceof AppError && failure.code === 'too_large'
    const { offset, inBucket } = isDropped ? upload : settled
    return { safe: { offset, inBucket }, failure }
  } finally {
    await writer.close()
  }
}

const captureFailure = (work: Promise<unknown>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (cause: unknown) => cause as Error,
  )
