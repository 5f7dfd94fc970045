import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import { AppError } from '../../core/errors'
import { pumpBody } from '../../http/receive/pump-body'
import type { PartialFiles } from '../../data/blobs/partial-files'
import type { UploadRecord } from './upload-store'

export interface TurnBody {
  body: IncomingMessage
  /** Hears how many bytes there will be in all, and may hold them back before they are written. A failure ends the turn. */
  onBytes: (total: number) => Promise<void> | undefined
  /** Hears how far the file is written without a gap. */
  onWritten: (upTo: number) => void
  /** Hears how far everything is on disk, now and then. */
  onDisk: (upTo: number) => void
  /** Takes the share of the line for a chunk that has come. */
  pace: (bytes: number) => Promise<void> | undefined
}

/** What a turn has brought: how far the bytes count now, and why it ended before its body did. */
export interface TurnResult {
  offset: number
  failure?: Error | undefined
}

/** Takes one turn of an upload onto the disk. What has come is kept even when the client goes away, or the disk is full. */
export async function receiveTurn(
  partial: PartialFiles,
  { blobId, offset: start }: UploadRecord,
  { body, onBytes, onWritten, onDisk, pace }: TurnBody,
): Promise<TurnResult> {
  const file = await partial.write(blobId, { start, onBytes, onWritten, onSynced: onDisk })
  try {
    let failure = await failureOf(pumpBody(body, file, pace))
    file.end()
    failure ??= await failureOf(finished(file))
    const settled = await file.settle()
    // A body that is longer than announced is another file.
    const isDropped = failure instanceof AppError && failure.code === 'too_large'
    const offset = isDropped ? start : settled
    partial.accept(blobId, offset)
    return { offset, failure }
  } finally {
    await file.close()
  }
}

const failureOf = (work: Promise<unknown>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (cause: unknown) => cause as Error,
  )
