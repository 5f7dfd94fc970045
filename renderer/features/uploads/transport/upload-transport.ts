import type { ApiError } from '../../../lib/client/api-client'
import type { UploadOptions } from '../queue/upload'

/** The part of a file that the host has. */
export interface Kept {
  address: string
  /** In bytes. */
  offset: number
}

/** Options and callbacks of a transport. */
export interface SendOptions {
  options: UploadOptions
  /** The same for each retry of one upload, and for no other. */
  key: string
  /** Address of an earlier resumable upload. */
  keptAt?: string
  /** Called with the host's offset, at first and after each interruption. */
  onKept: (kept: Kept) => void
  /** Called with the bytes of the file sent so far. */
  onProgress: (sent: number) => void
  /** Called if the host reads the file from its own disk. */
  onInPlace: () => void
  /** Called when the host is unreachable; the transport retries by itself. */
  onInterrupted: (cause: ApiError) => void
  /** Ends the transfer. The host keeps what it has. */
  signal: AbortSignal
}
