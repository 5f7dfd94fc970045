/** Numbers that the product promises. Sizes are bytes of binary units (1 MB = 1024² bytes). */
export const KB = 1024
export const MB = 1024 * KB
export const GB = 1024 * MB
export const TB = 1024 * GB

export const MAX_UPLOAD_BYTES = 2 * GB
/** How a browser sends large files. */
export const RESUMABLE_UPLOADS = {
  /** Larger files (bytes) are sent as resumable uploads; sending a smaller one again takes less time. */
  above: 8 * MB,
  /** Bytes of one request, which the browser holds in memory: few enough for a phone. */
  chunk: 32 * MB,
}
export type ResumableLimits = typeof RESUMABLE_UPLOADS
export const SHORT_DESCRIPTION_MAX = 100
export const POST_MAX = 5000
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 256
export const FEED_PAGE_SIZE = 10
/** For how many days what was deleted can be restored. */
export const TRASH_DAYS = 7
/** For how many days the daily counts of a project are kept. */
export const HISTORY_DAYS = 365
/** For how many days after its last byte an unfinished upload can be resumed; without a byte, it is kept for an hour. */
export const UPLOAD_DAYS = 7
/** How many files one zip may be asked for: as many ids as a request line carries without trouble. */
export const ZIP_MAX = 500
/** How many folders one project can watch. */
export const WATCHES_MAX = 10
/** So many files can be changed by one call. */
export const MANY_MAX = 500
/** How many items a list answers at once, at most; also where the caller names no `limit`. */
export const LIST_PAGE_SIZE = 100
/** How much of each project a list of projects carries, at most. */
export const LISTED_PROJECT = {
  /** Characters of the description. */
  description: 200,
  /** Linked files, the newest. */
  files: 5,
}

/** Storage quota by tier, in bytes. */
export const tierQuota = { Free: 100 * MB, Basic: GB, Pro: 10 * GB, Enterprise: TB } as const
export type Tier = keyof typeof tierQuota
export const tiers = Object.keys(tierQuota) as [Tier, ...Tier[]]
