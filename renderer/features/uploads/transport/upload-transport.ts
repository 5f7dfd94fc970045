import type { ApiError } from '../../../lib/client/api-client'
import type { UploadOptions } from '../upload'

export interface StoredPart {
  address: string
  /** In bytes. */
  offset: number
}

export interface SendOptions {
  options: UploadOptions
  /** The same for each retry of one upload, and for no other. */
  key: string
  keptAt?: string
  /** Called with the host's offset, at first and after each interruption. */
  onKept: (part: StoredPart) => void
  onProgress: (sent: number) => void
  onInPlace: () => void
  /** Called when the host is unreachable; the transport retries by itself. */
  onInterrupted: (cause: ApiError) => void
  /** Ends the transfer. The host keeps what it has. */
  signal: AbortSignal
}
