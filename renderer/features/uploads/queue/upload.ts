import type { OpenedFile } from '../../../../server/contract/desktop'
import type { ApiError } from '../../../lib/client/api-client'

/** A file that was chosen or dropped, or one that the system handed to the app window, of which only the host reads the bytes. */
export type UploadSource = File | OpenedFile

/** What the person chose for a batch of files. */
export interface UploadOptions {
  isPublic: boolean
  /** Where to add the files once they are stored. */
  project?: { id: string; title: string; isPublic: boolean }
  version?: string
  platform?: string
}

/**
 * waiting → sending → checking (all bytes are sent, the host has not answered) → linking → done.
 * `paused`: until the person goes on, or signs in again. `interrupted`: the host is out of reach, and the upload goes on
 * by itself. `failed`: nothing was stored. `unlinked`: stored, but not added to the project.
 */
export type UploadState =
  'waiting' | 'sending' | 'checking' | 'linking' | 'done' | 'paused' | 'interrupted' | 'failed' | 'unlinked'

/** A file that is on the host for good. */
export interface Stored {
  file_id: string
  /** The project to which the host has added it in the same moment. */
  linkedTo?: string
}

export interface Upload {
  id: number
  file: UploadSource
  options: UploadOptions
  /** By which the host knows another try of this upload. */
  key: string
  state: UploadState
  /** Bytes of the file that have left this machine, those of an earlier try included. */
  sent: number
  /** Bytes per second, once it is known. */
  rate?: number
  error?: ApiError
  stored?: Stored
  /** The address at which the host keeps what it has of this file, also across a reload. Small files have none. */
  keptAt?: string
  /** Bytes that the host had already when this page began to send. */
  resumedFrom?: number
  /** The host takes it off its own disk: nothing is sent. */
  isInPlace?: true
  /** Its row has given way to the list of files; it still counts in the totals of the queue. */
  retired?: true
}

/** 128 random bits in hexadecimal. `crypto.randomUUID` is for secure origins only, which a host at home is not. */
export const newUploadKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')

const transferring: readonly UploadState[] = ['sending', 'checking', 'linking', 'interrupted']

/** Whether the queue works on this upload right now. */
export const isTransferring = ({ state }: Upload): boolean => transferring.includes(state)

/** Whether this upload still has something to send or to wait for. */
export const isUnfinished = (upload: Upload): boolean =>
  upload.state === 'waiting' || upload.state === 'paused' || isTransferring(upload)

/** Whether closing the page now would lose this upload, or at least stop it. */
export const wouldBeLost = (upload: Upload): boolean =>
  isUnfinished(upload) && !(upload.state === 'paused' && upload.keptAt !== undefined)

/** Whether it can be stopped for a while: not when all of it is sent. */
export const canPause = ({ state }: Upload): boolean => ['waiting', 'sending', 'interrupted'].includes(state)

/**
 * How much of the job is done, 0 to 1. The bytes are nine tenths of it; the last tenth is the host's answer, so that
 * the bar never claims what is not yet stored.
 */
export function shareDone({ state, sent, file }: Upload): number {
  if (state === 'done' || state === 'unlinked' || state === 'linking') return 1
  return file.size === 0 ? 0 : 0.9 * (sent / file.size)
}
