export interface BackoffTimes {
  firstMs: number
  longestMs: number
}

/**
 * The pause in ms before the next attempt after this many consecutive failures: doubled each time,
 * up to the longest.
 */
export const backoffMs = (failures: number, { firstMs, longestMs }: BackoffTimes): number =>
  Math.min(firstMs * 2 ** Math.max(failures - 1, 0), longestMs)
