import type { BuildWarning, File as StoredFile } from '../../../server/contract'
import type { OpenedFile } from '../../../server/contract/host/desktop'
import type { ApiError } from '../../lib/client/api-client'

/** A folder as one zip, made while it is sent. */
export interface FolderUpload {
  /** `FOLDER.zip` */
  name: string
  size: number
  lastModified: number
  fileCount: number
  slice: (start: number, end: number) => { arrayBuffer: () => Promise<ArrayBuffer> }
  /** Throws ApiError if a file in it changed. */
  fingerprint: () => Promise<string>
}

/** A folder that cannot be sent, and why. */
interface FailedFolder {
  name: string
  size: 0
  problem: string
}

/** Bytes that this page sends. */
export type SentSource = File | FolderUpload

/** A chosen or dropped file or folder, or a file opened with the app, which only the host reads. */
export type UploadSource = SentSource | FailedFolder | OpenedFile

export const isSent = (source: UploadSource): source is SentSource => 'slice' in source

export interface UploadOptions {
  isPublic: boolean
  project?: { id: string; title: string; isPublic: boolean }
  version?: string
  platform?: string
  /** A zip to import, which may be larger than the largest file. */
  isImport?: true
}

/**
 * waiting → sending → checking (all bytes sent, no answer yet) → linking → done. `ready`: stored,
 * private, and waiting for what the person decides. `paused`: until the person resumes or signs in
 * again. `interrupted`: host unreachable, retries by itself. `failed`: nothing stored. `unlinked`:
 * stored, but not added to the project.
 */
export type UploadState =
  | 'waiting'
  | 'sending'
  | 'checking'
  | 'ready'
  | 'linking'
  | 'done'
  | 'paused'
  | 'interrupted'
  | 'failed'
  | 'unlinked'

export interface Stored {
  file_id: string
  is_public?: boolean
  /** Entered by the person, else from the package or the filename. */
  version?: string | null
  /** The project that the host added it to in the same call. */
  linkedTo?: string
  /** The host's warnings about it as a build of that project. */
  warnings?: readonly BuildWarning[]
  icon_url?: string | null
  facts?: StoredFile['facts']
}

export interface Upload {
  id: number
  file: UploadSource
  options: UploadOptions
  /** Idempotency key: the same for each retry. */
  key: string
  state: UploadState
  /** Sent while the person decides: becomes `ready`, until `release`. */
  isHeld?: true
  sent: number
  /** Bytes per second, once known. */
  rate?: number
  error?: ApiError
  stored?: Stored
  /**
   * About the finished upload as a build of its project; it stays listed until the person has read
   * them.
   */
  warnings?: readonly BuildWarning[]
  /** Address of the resumable upload, which survives a reload. Small files have none. */
  keptAt?: string
  /** Bytes that the host had when this page started to send. */
  resumedFrom?: number
  /** The host reads the file from its own disk: nothing is sent. */
  isInPlace?: true
  retired?: true
}

/**
 * 128 random bits in hexadecimal. `crypto.randomUUID` needs a secure origin, which a local host is
 * not.
 */
export const newUploadKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')

const transferring: readonly UploadState[] = ['sending', 'checking', 'linking', 'interrupted']

export const isTransferring = ({ state }: Upload): boolean => transferring.includes(state)

export const isUnfinished = (upload: Upload): boolean =>
  upload.state === 'waiting' || upload.state === 'paused' || isTransferring(upload)

export const hasWarnings = ({ warnings }: Upload): boolean =>
  warnings !== undefined && warnings.length > 0

/** Whether closing the page would lose or stop this upload. */
export const wouldBeLost = (upload: Upload): boolean =>
  isUnfinished(upload) && !(upload.state === 'paused' && upload.keptAt !== undefined)

/** False once all bytes are sent. */
export const canPause = ({ state }: Upload): boolean =>
  ['waiting', 'sending', 'interrupted'].includes(state)

/**
 * Share of the work, 0 to 1: nine tenths for the bytes, one for the host's answer, so that the bar
 * never shows unstored bytes as done.
 */
export function shareDone({ state, sent, file }: Upload): number {
  if (['ready', 'done', 'unlinked', 'linking'].includes(state)) return 1
  return file.size === 0 ? 0 : 0.9 * (sent / file.size)
}
