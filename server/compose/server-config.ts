import type { ResumableLimits } from '../contract'
import type { WatchPace } from '../features/watches/folder-watch'
import type { ServingChoices } from '../http/pipeline/serving'
import type { ReaderLimits } from '../packages/package-reader'
import type { HttpsChoice } from '../network/tls/https'

/** Plain data, so that the server can move to another process without changing. */
export interface ServerConfig extends ServingChoices {
  /** Library, blobs, settings and secrets live here. One process owns it. */
  dataDir: string
  /** Where the data once lay, and where it is told where it is now; else the data folder itself. */
  homeDir?: string
  /** The built UI. */
  uiDir: string
  version: string
  /** Overrides of the settings for this run. */
  host?: string
  port?: number
  publicUrl?: string
  /** IP addresses and networks of proxies whose word about their clients is taken. */
  trustProxy?: readonly string[]
  https?: HttpsChoice
  /** Bytes of log after which a snapshot is taken; small ones for tests. */
  checkpointBytes?: number
  /** How many connections may be open at once; as many as the system allows, fewer for tests. */
  connections?: number
  /** `LockOptions.silenceMs`; shorter for tests. */
  lockSilenceMs?: number
  /** What a password hash costs, as the binary logarithm of scrypt's N; less for tests. */
  passwordCost?: number | undefined
  /** How browsers send large files; smaller for tests. */
  resumableUploads?: ResumableLimits
  /** What the reader of packages may use; less for tests. */
  packageReader?: Partial<ReaderLimits>
  /** How patiently folders are watched; less so for tests. */
  watchPace?: WatchPace
  /** The secret that the app window adds to its own requests; absent on headless hosts. */
  windowSecret?: string
}
