import type { ApiError } from '../../../lib/client/api-client'
import type { UploadOptions } from '../queue/upload'

/** The first part of a file that the host keeps until the rest has come. */
export interface Kept {
  address: string
  /** How many bytes it has. */
  offset: number
}

/** What a transport is told about an upload, and what it tells about it. */
export interface SendOptions {
  options: UploadOptions
  /** The same for each try of one upload, and for no other. */
  key: string
  /** Where the host keeps what an earlier try has sent. */
  keptAt?: string
  /** Called when the host says what it has, at first and after each interruption. */
  onKept: (kept: Kept) => void
  /** Called with the bytes of the file that have left this machine. */
  onProgress: (sent: number) => void
  /** Called where the host takes the file off its own disk: nothing is sent then. */
  onInPlace: () => void
  /** The host is out of reach for now; the transport goes on trying by itself. */
  onInterrupted: (cause: ApiError) => void
  /** Ends the transfer. What the host keeps of it stays. */
  signal: AbortSignal
}
