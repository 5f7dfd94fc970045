import { fingerprintOf } from './file-fingerprint'
import type { Stored, UploadOptions } from '../queue/upload'
import { withPatience } from './upload-patience'
import type { Kept, SendOptions } from './upload-transport'

/** What the resumable way needs to know of the host beside the protocol. */
export interface UploadHost {
  /** Where uploads begin. */
  endpoint: string
  /** The most that one request brings, in bytes. */
  chunkBytes: number
  /** The address of what the host has of this very file from an earlier try, here or in another browser. */
  find: (fingerprint: string, file: File) => Promise<string | undefined>
  /** Says what an upload from an earlier try is to become, where that was something else. */
  redirect: (address: string, options: UploadOptions) => Promise<void>
  /** What a complete upload has become. */
  finished: (address: string, options: UploadOptions, signal: AbortSignal) => Promise<Stored>
}

/**
 * Uploads a file so that an interruption costs nothing: after a cut connection, a restart of the host, a reload or a
 * new sign-in it goes on where the host stands. Resolves with what it has become. Rejects with ApiError when no further
 * try can mend it, or with the signal's reason.
 */
export async function sendResumably(file: File, send: SendOptions, host: UploadHost): Promise<Stored> {
  const fingerprint = await fingerprintOf(file)
  // Only who uploads large files loads the library.
  const { transferByTus } = await import('./tus-transfer')
  let keptAt = send.keptAt
  let isTold = false
  let furthest = 0
  const onKept = (kept: Kept) => {
    keptAt = kept.address
    send.onKept(kept)
  }
  const target = async () => {
    // The answer to a creation may have been lost, so it is asked for each time.
    keptAt ??= await host.find(fingerprint, file)
    if (keptAt && !isTold) await host.redirect(keptAt, send.options)
    isTold = true
    return keptAt ? { uploadUrl: keptAt } : { endpoint: host.endpoint, metadata: metadataOf(file, send, fingerprint) }
  }
  return withPatience(async (progressed) => {
    const onProgress = (sent: number) => {
      if (sent > furthest) progressed()
      furthest = Math.max(furthest, sent)
      send.onProgress(sent)
    }
    const { chunkBytes } = host
    const transfer = { file, fingerprint, chunkBytes, target: await target(), onKept, onProgress, signal: send.signal }
    return host.finished(await transferByTus(transfer), send.options, send.signal)
  }, send)
}

/** What the host is told about the file: `Upload-Metadata` of the contract. */
function metadataOf({ name }: File, { options }: SendOptions, fingerprint: string): Record<string, string> {
  const { isPublic, project, version, platform } = options
  return {
    filename: name,
    is_public: String(isPublic),
    fingerprint,
    ...(project ? { project_id: project.id } : {}),
    ...(version ? { version } : {}),
    ...(platform ? { platform } : {}),
  }
}
