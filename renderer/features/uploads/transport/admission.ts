import type { StorageStats } from '../../../../server/contract'
import type { OpenedFile } from '../../../../server/contract/host/desktop'
import { formatSize } from '../../../lib/texts/format'
import type { UploadSource } from '../upload'
import type { StoredPart } from './upload-transport'

export function refusal(
  { size, kind = 'file', problem }: { size: number; kind?: OpenedFile['kind']; problem?: string },
  storage: Pick<StorageStats, 'used' | 'quota' | 'free' | 'tier_name' | 'largest_file'> | undefined,
  before: number,
): string | undefined {
  if (problem !== undefined) return problem
  if (kind === 'folder') return 'Drop this folder on the window: it is sent as one ZIP.'
  if (kind === 'missing')
    return 'This file no longer exists on this computer: it was moved, renamed or deleted.'
  if (size === 0) return 'This file is empty (0 bytes), so there is nothing to upload.'
  if (!storage) return undefined

  const largest = storage.largest_file
  if (size > largest)
    return (
      `Too large: a file can have at most ${formatSize(largest)}, and this file is ` +
      `${excessText(size - largest)} too large.`
    )

  const ofQuota = Math.max(0, storage.quota - storage.used - before)
  const free = Math.max(0, storage.free - before)
  if (size <= free) return undefined
  if (size <= ofQuota)
    return (
      `This file needs ${formatSize(size)}; the disk of the host has ${formatSize(free)} ` +
      'left. Delete files, or ask the host to free some space.'
    )

  return (
    `This file needs ${formatSize(size)}; you have ${formatSize(ofQuota)} left ` +
    `(${storage.tier_name}). Delete files or ask the host for a larger tier.`
  )
}

/** '1 byte' or '20.00 MB' */
const excessText = (bytes: number): string => (bytes === 1 ? '1 byte' : formatSize(bytes))

export interface Choice {
  file: UploadSource
  refusal: string | undefined
  keptBytes?: number
}

interface Ahead {
  bytes: number
  /** The part of a file that the host already has; it reserves room for the rest. */
  parts: ReadonlyMap<UploadSource, Pick<StoredPart, 'offset'>>
}

/** Checks files in upload order. Refused ones take no room. */
export function judge(
  files: readonly UploadSource[],
  storage: StorageStats | undefined,
  ahead: Ahead = { bytes: 0, parts: new Map() },
): Choice[] {
  let before = ahead.bytes
  return files.map((file) => {
    const part = ahead.parts.get(file)
    if (part) return { file, refusal: undefined, keptBytes: part.offset }
    const reason = refusal(file, storage, before)
    if (!reason) before += file.size
    return { file, refusal: reason }
  })
}
