import { MAX_UPLOAD_BYTES, type StorageStats } from '../../../server/contract'
import { formatSize } from '../../lib/format'

/** Why the host would refuse this file, or undefined. `before`: bytes of the files that are sent ahead of it. */
export function refusal(
  { size }: Pick<File, 'size'>,
  storage: Pick<StorageStats, 'used' | 'quota' | 'tier_name'> | undefined,
  before: number,
): string | undefined {
  if (size > MAX_UPLOAD_BYTES) {
    return `Too large: a file can have at most ${formatSize(MAX_UPLOAD_BYTES)}, and this one has ${formatSize(size)}.`
  }
  if (!storage) return undefined
  const free = Math.max(0, storage.quota - storage.used - before)
  if (size <= free) return undefined
  return `No room for this file: it has ${formatSize(size)}, and ${formatSize(free)} of your ${formatSize(storage.quota)} (${storage.tier_name}) are free. Delete files that you no longer need, or ask the host for a larger tier.`
}

export interface Choice {
  file: File
  refusal: string | undefined
}

/**
 * Judges files in the order in which they will be sent. Refused ones take no room.
 * `ahead`: bytes that are on their way already.
 */
export function judge(files: readonly File[], storage: StorageStats | undefined, ahead = 0): Choice[] {
  let before = ahead
  return files.map((file) => {
    const reason = refusal(file, storage, before)
    if (!reason) before += file.size
    return { file, refusal: reason }
  })
}
