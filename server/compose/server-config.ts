import type { ResumableLimits } from '../contract'
import type { WatchPace } from '../features/watches/folder-watch'
import type { ServingChoices } from '../http/endpoint/serving'
import type { ReaderLimits } from '../libraries/package-reader/package-reader'
import type { HttpsChoice } from '../network/tls/https'
import type { InternetSettings } from '../data/settings/settings-schema'
import type { ConfiguredBucket } from '../features/bucket/bucket-config'

/**
 * Access to the metrics: a separate port, or the main one with a token. With both, that port needs
 * the token.
 */
export interface MetricsChoice {
  host: string
  /** 0: any free port; undefined: the main port. */
  port: number | undefined
  /** The token of `Authorization: Bearer`; undefined: any client that reaches the port may read. */
  token: string | undefined
}

/** The options of one run. Plain data, so that the server can move to another process. */
export interface ServerConfig extends ServingChoices {
  /** Holds library, blobs, settings and secrets. One process owns it. */
  dataDir: string
  /** The original data folder, which points to `dataDir` after a move; default: `dataDir`. */
  homeDir?: string
  uiDir: string
  version: string
  /** These override the settings for this run. */
  host?: string
  port?: number
  /** A socket that listens already, instead of `host` and `port`. */
  passedSocket?: number | undefined
  publicUrl?: string
  /** IP addresses and networks of proxies whose forwarded client addresses are trusted. */
  trustProxy?: readonly string[]
  https?: HttpsChoice
  /** Bytes of log after which a snapshot is written; smaller in tests. */
  checkpointBytes?: number
  /** The limit of open connections; default: what the system allows. Lower in tests. */
  connections?: number
  /** See `LockOptions.silenceMs`; shorter in tests. */
  lockSilenceMs?: number
  /** Password hash cost: the binary logarithm of scrypt's N; lower in tests. */
  passwordCost?: number | undefined
  resumableUploads?: ResumableLimits
  packageReader?: Partial<ReaderLimits>
  /** How often to look for packages to read and whether transfers run, in ms; shorter in tests. */
  idleLookMs?: number
  watchPace?: WatchPace
  /**
   * Overrides the settings of reaching this host from the internet; `way` opens it at the start, or
   * keeps it closed.
   */
  internet?: Partial<InternetSettings>
  /** The name of this host in its cluster, which its metrics carry; undefined: it is alone. */
  clusterHost?: string | undefined
  /** Undefined: no metrics, and nothing of them is loaded. */
  metrics?: MetricsChoice
  /** Overrides the settings of downloads from a bucket. */
  bucket?: ConfiguredBucket
  /** The secret that the app window adds to its requests; absent on headless hosts. */
  windowSecret?: string
}
