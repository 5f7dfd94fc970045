export interface StorageLevel {
  /** Percentage of the quota, at most 100, for a bar. */
  percentage: number
  colour: 'red' | 'orange' | 'green'
}

/**
 * How full a storage is, sizes in bytes: red above 90 %, orange above 70 %, green otherwise, to the
 * byte.
 */
export function storageLevel(used: number, quota: number): StorageLevel {
  const percentage = Math.min(100, (used / quota) * 100)
  if (percentage > 90) return { percentage, colour: 'red' }
  return { percentage, colour: percentage > 70 ? 'orange' : 'green' }
}

export const shadeOf = (colour: StorageLevel['colour']): string =>
  `${colour}.${colour === 'green' ? 7 : 8}`
