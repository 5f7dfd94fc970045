import type {
  File as StoredFile,
  ResumableLimits,
  UnfinishedUpload,
} from '../../../../server/contract'
import { calls } from '../../../../server/contract/calls'
import {
  address,
  ApiError,
  connectionLost,
  encodeBody,
  readReply,
  type Client,
} from '../../../lib/client/api-client'
import { offerFile } from '../../../lib/browser/desktop'
import { loadPart } from '../../../lib/browser/load-part'
import { messages } from '../../../lib/texts/messages'
import { fileChanged, requireReadable } from './file-changed'
import { sendResumably, type UploadHost } from './resumable-upload'
import { addressOf, idIn } from './unfinished'
import {
  isSent,
  type SentSource,
  type Stored,
  type UploadOptions,
  type UploadSource,
} from '../upload'
import type { SendOptions } from './upload-transport'
import { ANSWER_MS, STALL_MS, StallWatch } from './stall-watch'
import { withPatience } from './upload-patience'

/**
 * Sends a file in place on the host's own computer, else over the network. Interrupted uploads
 * resume the way they began.
 */
export function sendToHost(
  client: Client,
  limits: () => ResumableLimits,
): (file: UploadSource, send: SendOptions) => Promise<Stored> {
  const host = createUploadHost(client)
  return async (file, send) => {
    const isInPlace = send.keptAt === undefined && !send.options.isImport
    const offerId = isInPlace ? await offerOf(file) : null
    if (offerId !== null) return takeInPlace(offerId, send)
    if (!isSent(file)) throw fileChanged(file)
    const { above, chunk } = limits()
    return file.size > above
      ? sendResumably(file, send, { ...host, chunkBytes: chunk })
      : sendWhole(await readWhole(file), send)
  }
}

const offerOf = (file: UploadSource) =>
  file instanceof File ? offerFile(file) : 'offerId' in file ? file.offerId : null

/** A small folder fits into one request. */
async function readWhole(file: SentSource): Promise<File> {
  if (file instanceof File) return file
  const { name, size, lastModified } = file
  const zip = new File([await file.slice(0, size).arrayBuffer()], name, {
    type: 'application/zip',
    lastModified,
  })
  // Throws if a file changed between its checksum and its bytes.
  await file.fingerprint()
  return zip
}

async function takeInPlace(
  offerId: string,
  { options, onInPlace, onProgress, signal }: SendOptions,
): Promise<Stored> {
  onInPlace()
  // Only the app window loads it.
  const { publishInPlace } = await loadPart(() => import('./publish-in-place'))
  const { file, warnings } = await publishInPlace({ offerId, options, onProgress, signal })
  return {
    ...storedAs(file),
    warnings,
    ...(options.project ? { linkedTo: options.project.id } : {}),
  }
}

const storedAs = ({ file_id, is_public, version, icon_url, facts }: StoredFile): Stored => ({
  file_id,
  is_public,
  version,
  icon_url,
  facts,
})

function createUploadHost(client: Client): Omit<UploadHost, 'chunkBytes'> {
  return {
    endpoint: address(calls.uploads.create, {}).url,
    find: async (fingerprint, { size }) => {
      const { uploads } = await client.uploads.list({})
      const match = uploads.find(
        (upload) => upload.fingerprint === fingerprint && upload.size === size,
      )
      return match && addressOf(match)
    },
    redirect: (at, options) => redirect(client, idIn(at), options),
    finished: async (at, options, signal) => {
      const { upload } = await client.uploads.info({ id: idIn(at) }, signal)
      const { file_id, project_id, linked, warnings } = upload
      if (file_id === null) throw new ApiError('internal', messages.file.uploadFailed, 200)

      // An upload that was already complete has the options of its start.
      if (upload.is_public !== options.isPublic)
        await client.files.setVisibility({ id: file_id, is_public: options.isPublic })

      // Only for the look of the finished row.
      const { file } = await client.files
        .info({ id: file_id }, signal)
        .catch(() => ({ file: undefined }))
      const stored = file ? storedAs(file) : { file_id, is_public: options.isPublic }
      if (!linked || project_id === null) return stored
      if (isLinkedAs(options, upload)) return { ...stored, warnings, linkedTo: project_id }
      await client.projects.unlink({ id: project_id, downloadId: file_id })

      return stored
    },
  }
}

/** Runs before the last byte, so that a file that is private now is never public for a moment. */
async function redirect(client: Client, id: string, options: UploadOptions): Promise<void> {
  // The transfer itself finds out if an upload is gone or complete.
  const info = await client.uploads.info({ id }).catch(unless(404, 410))
  if (!info || info.upload.file_id !== null) return
  const { isPublic: is_public, project, version = null, platform = null } = options
  if (info.upload.is_public === is_public && isLinkedAs(options, info.upload)) return
  const project_id = project?.id ?? null
  await client.uploads.change({ id, is_public, project_id, version, platform }).catch(unless(410))
}

const unless =
  (...statuses: number[]) =>
  (cause: unknown): void => {
    if (!(cause instanceof ApiError && statuses.includes(cause.status))) throw cause
  }

const isLinkedAs = ({ project, version, platform }: UploadOptions, upload: UnfinishedUpload) =>
  (project?.id ?? null) === upload.project_id &&
  (version ?? null) === upload.version &&
  (platform ?? null) === upload.platform

/**
 * Uploads a small file in one call, with retries, and resolves with its record. The key lets the
 * host recognise a retry, so that it stores nothing twice. A server error is final: a retry would
 * send the whole file again. Rejects with ApiError, or with the signal's reason.
 */
function sendWhole(file: File, send: SendOptions): Promise<StoredFile> {
  return withPatience(() => sendFile(file, send), {
    ...send,
    isFinal: ({ status }) => status >= 500,
  })
}

/**
 * XMLHttpRequest, because fetch reports no upload progress. Without a time limit while bytes are
 * moving.
 */
function sendFile(file: File, { key, onProgress, signal }: SendOptions): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(calls.files.upload.method, address(calls.files.upload, {}).url)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('idempotency-key', key)
    const over = new AbortController()

    const lost = (cause: ApiError) => {
      reject(cause)
      request.abort()
    }

    const watch = new StallWatch(lost, over.signal)
    request.upload.onprogress = ({ loaded, total }) => {
      watch.expect(loaded < total ? STALL_MS : ANSWER_MS)
      onProgress(fileBytes(file.size, loaded, total))
    }

    request.onload = () => {
      try {
        resolve(storedFile(request))
      } catch (error) {
        reject(
          error instanceof Error
            ? error
            : new ApiError('internal', 'Upload failed', request.status),
        )
      }
    }

    // Browsers give no reason; a changed or removed file is the other cause.
    request.onerror = () => void requireReadable(file).then(() => reject(connectionLost()), reject)
    request.onabort = () =>
      reject(signal.reason instanceof Error ? signal.reason : new Error('Cancelled'))
    request.onloadend = () => over.abort()
    signal.addEventListener('abort', () => request.abort(), { signal: over.signal })
    watch.expect(STALL_MS)
    // Always the same for a key: the person may decide between two tries, and the queue makes the
    // file public then.
    request.send(encodeBody(calls.files.upload, { is_public: false, file }))
  })
}

/** Scales the bytes of the multipart form to the size of the file. */
function fileBytes(size: number, loaded: number, total: number): number {
  return total === 0 ? 0 : Math.min(size, Math.round((loaded / total) * size))
}

const storedFile = ({ status, responseText }: XMLHttpRequest): StoredFile =>
  (readReply(status, responseText) as { file: StoredFile }).file
