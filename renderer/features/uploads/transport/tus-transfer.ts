import {
  DetailedError,
  Upload,
  type FileReader,
  type HttpResponse,
  type UploadOptions,
} from 'tus-js-client'
import { ApiError, connectionLost, parseProblem } from '../../../lib/client/api-client'
import type { SentSource } from '../upload'
import { ANSWER_MS, STALL_MS, StallWatch } from './stall-watch'
import type { StoredPart } from './upload-transport'
import { fileChanged } from './file-changed'
import { computeFingerprint } from './file-fingerprint'

interface TusTransfer {
  file: SentSource
  fingerprint: string
  chunkBytes: number
  /** The upload to resume, or where and with what metadata to create one. */
  target: { uploadUrl: string } | { endpoint: string; metadata: Record<string, string> }
  onKept: (part: StoredPart) => void
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/**
 * One try to upload a file by tus 1.0 (tus.io/protocols/resumable-upload), from the host's offset.
 * Resolves with the address of the complete upload. Throws ApiError, or the signal's reason.
 */
export async function transferByTus(transfer: TusTransfer): Promise<string> {
  const over = new AbortController()

  try {
    return await new Promise<string>((resolve, reject) => {
      const watch = new StallWatch(reject, over.signal)
      // The reader below has the bytes.
      const upload = new Upload(new Blob(), {
        ...settings(transfer, watch),
        onSuccess: () => resolve(pathOf(upload.url ?? '')),
        onError: (cause) => reject(asApiError(cause)),
      })

      // Lets a pending creation finish: only its answer has the address to discard.
      const isCreating = () => upload.url === null && !('uploadUrl' in transfer.target)
      over.signal.addEventListener('abort', () => isCreating() || void upload.abort())
      transfer.signal.addEventListener('abort', () => reject(cancelError(transfer)), {
        signal: over.signal,
      })
      upload.start()
    })
  } finally {
    over.abort()
  }
}

/**
 * The library only speaks the protocol: upload-patience.ts retries, and the host stores the state.
 */
function settings(
  { file, fingerprint, chunkBytes, target, signal, ...callbacks }: TusTransfer,
  watch: StallWatch,
): UploadOptions {
  return {
    ...target,
    fileReader: createFileReader(file, fingerprint),
    chunkSize: chunkBytes,
    retryDelays: null,
    storeFingerprintForResuming: false,
    onBeforeRequest: () => {
      // The library ignores an abort before its first request.
      signal.throwIfAborted()
      watch.expect(STALL_MS)
    },
    onAfterResponse: (request, response) => {
      const part = keptBy(request.getMethod(), request.getURL(), response)
      if (part) callbacks.onKept(part)
    },
    onProgress: (sent) => {
      watch.expect(sent === file.size ? ANSWER_MS : STALL_MS)
      if (!signal.aborted) callbacks.onProgress(sent)
    },
  }
}

const cancelError = ({ signal }: TusTransfer) =>
  signal.reason instanceof Error ? signal.reason : new Error('Cancelled')

/** The offset that the host reports; 0 after a creation. */
function keptBy(method: string, url: string, response: HttpResponse): StoredPart | undefined {
  if (response.getStatus() >= 300) return undefined
  if (method === 'HEAD')
    return { address: pathOf(url), offset: Number(response.getHeader('Upload-Offset')) }
  const created = response.getHeader('Location')
  return method === 'POST' && created ? { address: pathOf(created), offset: 0 } : undefined
}

const pathOf = (url: string): string => new URL(url, window.location.href).pathname

/**
 * The library wraps errors: unwraps those of the host and the file reader. A missing upload was
 * discarded elsewhere, or expired.
 */
function asApiError(cause: Error): Error {
  if (!(cause instanceof DetailedError)) return cause

  const { originalRequest: request, originalResponse: response, causingError } = cause
  if (causingError instanceof ApiError) return causingError
  if (!response || response.getStatus() === 0) return connectionLost()

  const isGone = [404, 410].includes(response.getStatus()) && request.getMethod() !== 'POST'
  if (isGone)
    return new ApiError(
      'not_found',
      'The host no longer has the first part of this file: it was discarded. Try again to ' +
        'restart the upload.',
      response.getStatus(),
    )

  return parseProblem(response.getStatus(), response.getBody())
}

/**
 * Reads a file in in-memory pieces: Safari and iOS hang on the second request with a piece on disk.
 * Before the last piece it compares the fingerprint again, because not every browser notices a
 * changed file.
 */
function createFileReader(file: SentSource, fingerprint: string): FileReader {
  const slice = async (start: number, end: number) => {
    if (end >= file.size && (await computeFingerprint(file)) !== fingerprint)
      throw fileChanged(file)
    return { value: await read(file, start, end), done: end >= file.size }
  }
  return { openFile: () => Promise.resolve({ size: file.size, slice, close: () => undefined }) }
}

/** A Blob, because browsers copy a bare buffer on the main thread before they send it. */
async function read(file: SentSource, start: number, end: number): Promise<Blob> {
  const bytes = await file
    .slice(start, end)
    .arrayBuffer()
    .catch((cause: unknown) => {
      if (cause instanceof ApiError) throw cause
      return undefined
    })
  if (bytes?.byteLength !== end - start) throw fileChanged(file)
  return new Blob([bytes])
}
