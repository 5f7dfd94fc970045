import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import { AppError } from '../../core/errors'
import { pumpBody } from '../../http/receive/pump-body'
import type { PartialFiles } from '../../data/blobs/partial-files'
import type { UploadRecord } from '../../data/records/upload-records'

export interface TurnBody {
  body: IncomingMessage
  /** Called before bytes are written, with the new total; may delay them. A failure ends the turn. */
  onBytes: (total: number) => Promise<void> | undefined
  onWritten: (upTo: number) => void
  /** Reports the bytes synced to disk, occasionally. */
  onDisk: (upTo: number) => void
  pace: (bytes: number) => Promise<void> | undefined
}

/** The confirmed offset, and the error that ended the turn early. */
export interface TurnResult {
  offset: number
  failure?: Error | undefined
}

/** Writes one turn to disk. Received bytes stay even if the client disconnects or the disk is full. */
export async function receiveTurn(
  partial: PartialFiles,
  { blobId, offset: start }: UploadRecord,
  { body, onBytes, onWritten, onDisk, pace }: TurnBody,
): Promise<TurnResult> {
  const file = await partial.write(blobId, { start, onBytes, onWritten, onSynced: onDisk })
  try {
    let failure = await captureFailure(pumpBody(body, file, pace))
    file.end()
    failure ??= await captureFailure(finished(file))
    const settled = await file.settle()
    // A longer body than announced belongs to another file.
    const isDropped = failure instanceof AppError && failure.code === 'too_large'
    const offset = isDropped ? start : settled
    partial.accept(blobId, offset)
    return { offset, failure }
  } finally {
    await file.close()
  }
}

const captureFailure = (work: Promise<unknown>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (cause: unknown) => cause as Error,
  )
