import type { LocalProgress } from '../../../../server/contract/files/local-files'
import { calls } from '../../../../server/contract/calls'
import { connectionLost } from '../../../lib/client/api-client'
import { callEvents } from '../../../lib/client/call-events'
import type { UploadOptions } from '../upload'

interface InPlace {
  offerId: string
  options: UploadOptions
  /** Called with the bytes in place. The host then still verifies. */
  onProgress: (bytes: number) => void
  signal: AbortSignal
  /** Defaults to the platform's own; Node tests pass one that keeps cookies. */
  request?: typeof fetch
}

/**
 * Makes the host publish a file on its own computer, and returns it with warnings about it. Rejects
 * with ApiError, or with the signal's reason.
 */
export async function publishInPlace({ offerId, options, onProgress, ...request }: InPlace) {
  const events = callEvents<LocalProgress>(
    calls.localFiles.publish,
    toInput(offerId, options),
    request,
  )
  for await (const { bytes, file, warnings } of events) {
    onProgress(bytes)
    if (file) return { file, warnings }
  }
  throw connectionLost()
}

function toInput(offer_id: string, { isPublic, project, version, platform }: UploadOptions) {
  return {
    offer_id,
    is_public: isPublic,
    ...(project ? { project_id: project.id } : {}),
    ...(version ? { version } : {}),
    ...(platform ? { platform } : {}),
  }
}
