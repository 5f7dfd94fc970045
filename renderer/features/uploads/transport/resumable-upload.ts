import { loadPart } from '../../../lib/browser/load-part'
import { computeFingerprint } from './file-fingerprint'
import type { SentSource, Stored, UploadOptions } from '../upload'
import { withPatience } from './upload-patience'
import type { StoredPart, SendOptions } from './upload-transport'

export interface UploadHost {
  endpoint: string
  chunkBytes: number
  /** The address of an earlier upload of this file, from any browser. */
  find: (fingerprint: string, file: SentSource) => Promise<string | undefined>
  /** Changes the options of an earlier upload, if they differ. */
  redirect: (address: string, options: UploadOptions) => Promise<void>
  finished: (address: string, options: UploadOptions, signal: AbortSignal) => Promise<Stored>
}

/**
 * Uploads a file so that it resumes after a cut connection, a host restart, a reload or a new
 * sign-in. Resolves with its record. Rejects with ApiError if no retry can help, or with the
 * signal's reason.
 */
export async function sendResumably(
  file: SentSource,
  send: SendOptions,
  host: UploadHost,
): Promise<Stored> {
  const fingerprint = await computeFingerprint(file)
  // Loads the library only for large files.
  const { transferByTus } = await loadPart(() => import('./tus-transfer'))
  let keptAt = send.keptAt
  let isTold = false
  let furthest = 0

  const onKept = (part: StoredPart) => {
    keptAt = part.address
    send.onKept(part)
  }

  const target = async () => {
    // The answer to a creation may have been lost, so ask each time.
    keptAt ??= await host.find(fingerprint, file)
    if (keptAt && !isTold) await host.redirect(keptAt, send.options)
    isTold = true
    return keptAt
      ? { uploadUrl: keptAt }
      : { endpoint: host.endpoint, metadata: toMetadata(file, send, fingerprint) }
  }

  return withPatience(async (progressed) => {
    const onProgress = (sent: number) => {
      if (sent > furthest) progressed()
      furthest = Math.max(furthest, sent)
      send.onProgress(sent)
    }

    const { chunkBytes } = host
    const transfer = {
      file,
      fingerprint,
      chunkBytes,
      target: await target(),
      onKept,
      onProgress,
      signal: send.signal,
    }

    return host.finished(await transferByTus(transfer), send.options, send.signal)
  }, send)
}

function toMetadata(
  { name }: SentSource,
  { options }: SendOptions,
  fingerprint: string,
): Record<string, string> {
  const { isPublic, project, version, platform, isImport } = options
  return {
    filename: name,
    is_public: String(isPublic),
    fingerprint,
    ...(project ? { project_id: project.id } : {}),
    ...(version ? { version } : {}),
    ...(platform ? { platform } : {}),
    ...(isImport ? { for_import: 'true' } : {}),
  }
}
