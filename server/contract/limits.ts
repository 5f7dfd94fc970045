/** Limits that the product promises. Sizes are binary (1 MB = 1024² bytes). */
export const KB = 1024
export const MB = 1024 * KB
export const GB = 1024 * MB
export const TB = 1024 * GB
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The largest file, in bytes: at first, and the most that the host may set. */
export const LARGEST_FILE = { usual: 2 * GB, most: 64 * GB }
export const RESUMABLE_UPLOADS = {
  /** Larger files (bytes) use resumable uploads; smaller ones are faster to send again. */
  above: 8 * MB,
  /** Bytes per request: small enough for the memory of a phone. */
  chunk: 32 * MB,
}
export type ResumableLimits = typeof RESUMABLE_UPLOADS
export const SHORT_DESCRIPTION_MAX = 100
export const POST_MAX = 5000
export const RELEASE_NOTES_MAX = 10_000
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 256
/** Recovery codes that an account gets with its first second factor. */
export const RECOVERY_CODES = 10
export const PASSKEYS_MAX = 20
/** How long a person counts as proved for what asks again, in ms. */
export const PROOF_MS = 15 * 60_000
export const POSTS_PAGE_SIZE = 10
/** Screenshots per project. */
export const SCREENSHOTS_MAX = 8
/** Size of an uploaded picture, in bytes. */
export const PICTURE_BYTES = 10 * MB
export const PICTURE_ALT_MAX = 300
/**
 * The most releases that a channel can be limited to, and the channels of a project that can be
 * limited.
 */
export const KEEP_MAX = 1000
export const KEPT_CHANNELS_MAX = 20
/** Days until the trash deletes an item. */
export const TRASH_DAYS = 7
/** The most projects that a person hands over with their account. */
export const HAND_OVERS_MAX = 1000
/** Days of daily counts per project. */
export const HISTORY_DAYS = 365
/** Days to resume an upload after its last byte; an empty upload expires after an hour. */
export const UPLOAD_DAYS = 7
/** Files per zip, limited by the length of the request line. */
export const ZIP_MAX = 500
export const WATCHES_MAX = 10
/** Webhooks of a project, and the deliveries that each keeps. */
export const WEBHOOKS_MAX = 10
export const DELIVERIES_KEPT = 50
/** Repositories whose CI jobs may upload to a project. */
export const PUBLISHERS_MAX = 20
/** Tester links of a project. */
export const TESTERS_MAX = 100
/** Days until a tester link ends: the usual and the longest time. */
export const TESTER_DAYS = { usual: 30, most: 365 }
/** iPhones and iPads of a tester link, which a group may share. */
export const DEVICES_MAX = 20
/** Versions that a tester link keeps of what was downloaded by it. */
export const TOOK_KEPT = 20
/** Share links of a file, days until one ends (usual and longest), and its highest limit. */
export const SHARE_LINKS_MAX = 100
export const SHARE_LINK_DAYS = { usual: 7, most: 365 }
export const SHARED_DOWNLOADS_MAX = 1000
/** File requests of an account, days until one ends, and the files that one takes. */
export const FILE_REQUESTS_MAX = 100
export const FILE_REQUEST_DAYS = { usual: 7, most: 365 }
export const REQUESTED_FILES = { usual: 20, most: 1000 }
export const REQUESTED_KINDS_MAX = 20
/** The share of an account's quota that files from people without an account may use. */
export const RECEIVED_SHARE = 0.5
/** Previews of a project, and the days after its last build until one ends. */
export const PREVIEWS_MAX = 100
export const PREVIEW_DAYS = { usual: 14, most: 90 }
/** The newest builds that a preview keeps, and the files of one build. */
export const PREVIEW_BUILDS = { usual: 2, most: 3 }
export const PREVIEW_FILES_MAX = 20
/** Characters of its title. */
export const PREVIEW_TITLE_MAX = 120
/** Characters of a report and of an answer, files and answers of one, and its bytes at first. */
export const REPORT_MAX = 5000
export const REPLY_MAX = 2000
export const REPORT_FILES_MAX = 5
export const REPORT_REPLIES_MAX = 50
export const REPORT_ROOM = 500 * MB
/** The most confirmed mail addresses and browsers of a project that get notices. */
export const SUBSCRIBERS_MAX = 1000
/** The most browsers of a tester link, which may belong to a group, and of a report or request. */
export const BROWSERS_MAX = { tester: 100, report: 10, request: 10 }
/** Addresses and browsers that a network can enter in an hour. */
export const SUBSCRIPTIONS_PER_HOUR = 10
/** Reports of one signature and version that keep their files. */
export const REPORT_GROUP_FILES = 20
/** Days after which the files of a fixed or closed report are deleted, at first and at most. */
export const REPORT_FILE_DAYS = { usual: 90, most: 3650 }
/** Reports per hour: of one network, and by one link, on one public page or by apps. */
export const REPORTS_PER_HOUR = { network: 10, link: 100 }
/** Characters of a note to or from the asker, and requests for access that wait for an answer. */
export const ACCESS_NOTE_MAX = 500
export const ACCESS_REQUESTS_MAX = 1000
/**
 * How long a link of an approved request works at first, and how long a declined one and one that
 * nobody answers are kept, in days.
 */
export const ACCESS_DAYS = { usual: 90, declined: 30, waiting: 90 }
/** Requests for access per hour: of one network, and on one public page. */
export const ACCESS_REQUESTS_PER_HOUR = { network: 10, link: 100 }
export const MANY_MAX = 500
/** Maximum and default page size of lists. */
export const LIST_PAGE_SIZE = 100
/** Maximum extent of a project in lists. */
export const LISTED_PROJECT = { description: 200, files: 5 }

/** Quota per tier, in bytes. */
export const tierQuota = { Free: 100 * MB, Basic: GB, Pro: 10 * GB, Enterprise: TB } as const
export type Tier = keyof typeof tierQuota
export const tiers = Object.keys(tierQuota) as [Tier, ...Tier[]]

/** The name of a channel. */
export const CHANNEL = /^(?=.{1,32}$)[a-z0-9]+(-[a-z0-9]+)*$/
