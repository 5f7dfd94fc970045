import type { File as StoredFile } from '../../../../server/contract'
import { calls } from '../../../../server/contract/calls'
import {
  address,
  ApiError,
  encodeBody,
  connectionLost,
  readReply,
} from '../../../lib/client/api-client'
import { requireReadable } from './file-changed'
import { ANSWER_MS, STALL_MS, StallWatch } from './stall-watch'
import { withPatience } from './upload-patience'
import type { SendOptions } from './upload-transport'

/**
 * Uploads a small file in one call, with retries, and resolves with its record. The key lets the
 * host recognise a retry, so that it stores nothing twice. A server error is final: a retry would
 * send the whole file again. Rejects with ApiError, or with the signal's reason.
 */
export function sendWhole(file: File, send: SendOptions): Promise<StoredFile> {
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
