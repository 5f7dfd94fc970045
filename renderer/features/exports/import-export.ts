import type { ImportProgress } from '../../../server/contract'
import { calls } from '../../../server/contract/calls'
import { connectionLost } from '../../lib/client/api-client'
import { callEvents } from '../../lib/client/call-events'

export type ImportResult = NonNullable<ImportProgress['result']>

interface Import {
  fileId: string
  asCopy: boolean
  onProgress: (progress: Pick<ImportProgress, 'bytes' | 'size'>) => void
  signal: AbortSignal
  /** Defaults to the platform's own; Node tests pass one with a key. */
  request?: typeof fetch
}

/**
 * Makes the host import an export that it has as a file. Rejects with ApiError, or with the
 * signal's reason.
 */
export async function importExport({
  fileId,
  asCopy,
  onProgress,
  ...request
}: Import): Promise<ImportResult> {
  const input = { file_id: fileId, as_copy: asCopy }
  for await (const progress of callEvents<ImportProgress>(calls.exports.import, input, request)) {
    onProgress(progress)
    if (progress.result) return progress.result
  }
  throw connectionLost()
}
