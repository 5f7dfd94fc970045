import type { ResumableLimits } from '../contract'
import type { Demo } from '../contract/host/host'
import type { WatchPace } from '../features/watches/folder-watch'
import type { ServingChoices } from '../http/endpoint/serving'
import type { ReaderLimits } from '../libraries/package-reader/package-reader'
import type { HttpsChoice } from '../network/tls/https'
import type { InternetSettings } from '../data/settings/settings-schema'
import type { ConfiguredBucket } from '../features/bucket/bucket-config'

/**
 * Access to the metrics: on a separate port, or on the main port with a token. With both, the
 * separate port needs the token.
 */
export interface MetricsChoice {
  host: string
  /** 0 for any free port. Undefined: the main port. */
  port: number | undefined
  /** The token of `Authorization: Bearer`. Undefined: no token is needed. */
  token: string | undefined
}

/** The options of one run. Plain data, so that the server can move to another process. */
export interface ServerConfig extends ServingChoices {
  /** The folder of library, blobs, settings and secrets. One process owns it. */
  dataDir: string
  /** The original data folder, which points to `dataDir` after a move; default: `dataDir`. */
  homeDir?: string
  uiDir: string
  version: string
  /** Undefined: no demo. */
  demo?: Demo | undefined
  /** These override the settings for this run. */
  host?: string
  port?: number
  /** A socket that is already listening, instead of `host` and `port`. */
  passedSocket?: number | undefined
  publicUrl?: string
  /** IP addresses and networks of proxies whose forwarded client addresses are trusted. */
  trustProxy?: readonly string[]
  https?: HttpsChoice
  /** Bytes of log after which a snapshot is written. Smaller in tests. */
  checkpointBytes?: number
  /** The limit of open connections. By default, the system's. Lower in tests. */
  connections?: number
  /** See `LockOptions.silenceMs`. Shorter in tests. */
  lockSilenceMs?: number
  /** Password hash cost: the binary logarithm of scrypt's N. Lower in tests. */
  passwordCost?: number | undefined
  resumableUploads?: ResumableLimits
  packageReader?: Partial<ReaderLimits>
  /** How often to check for packages to read and for running transfers, in ms. Shorter in tests. */
  idleLookMs?: number
  watchPace?: WatchPace
  /**
   * Overrides the settings of the connection from the internet. `internet_way` opens it at startup,
   * or keeps it closed.
   */
  internet?: Partial<InternetSettings>
  /** The name by which people tell this host from others, for its metrics. */
  hostName?: string | undefined
  /** Undefined: no metrics, and their code is not loaded. */
  metrics?: MetricsChoice
  /** Overrides the settings of downloads from a bucket. */
  bucket?: ConfiguredBucket
  /** The secret that the app window adds to its requests. Absent on headless hosts. */
  windowSecret?: string
}
