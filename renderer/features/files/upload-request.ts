import { api, type File as StoredFile } from '../../../server/contract'
import { address, ApiError, bodyOf, readReply } from '../../lib/api-client'

export interface SendOptions {
  isPublic: boolean
  /** Called with the bytes of the file that have left this machine. */
  onProgress: (sent: number) => void
  signal: AbortSignal
}

/**
 * Uploads one file and resolves with its record. XMLHttpRequest, because fetch does not tell how much was sent; without
 * a timeout, because 2 GB over a slow line take as long as they take. Rejects with ApiError, or with the signal's
 * reason when it was cancelled.
 */
export function sendFile(file: File, { isPublic, onProgress, signal }: SendOptions): Promise<StoredFile> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(api.files.upload.method, address(api.files.upload, {}).url)
    request.setRequestHeader('accept', 'application/json')
    request.upload.onprogress = ({ loaded, total }) => onProgress(fileBytes(file.size, loaded, total))
    request.onload = () => {
      try {
        resolve(storedFile(request))
      } catch (error) {
        reject(error instanceof Error ? error : new ApiError('internal', 'Upload failed', request.status))
      }
    }
    request.onerror = () => reject(new ApiError('offline', 'The connection to the host was lost', 0))
    request.onabort = () => reject(signal.reason instanceof Error ? signal.reason : new Error('Cancelled'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(bodyOf(api.files.upload, { is_public: isPublic, file }))
  })
}

/** The form around the file is counted too, so what was sent is scaled to the size of the file. */
function fileBytes(size: number, loaded: number, total: number): number {
  return total === 0 ? 0 : Math.min(size, Math.round((loaded / total) * size))
}

function storedFile({ status, responseText }: XMLHttpRequest): StoredFile {
  const reply = readReply(api.files.upload, status, responseText)
  return api.files.upload.reply.parse(reply).file
}
