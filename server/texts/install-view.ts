import type { Platform } from '../contract/files/platforms'
import type { InstallNote } from '../contract/files/install-steps'

/** A build on the install page. Texts come from packages and people: hostile. */
export interface InstallBuild {
  filename: string
  version: string | null
  /** Bytes. */
  size: number
  sha256: string
  platform: Platform | null
  /** The requirements in the package, for people: `Android 8 or later · arm64`; '' if nothing. */
  facts: string
  /** Path of the file. */
  address: string
}

/** How to install a build. */
interface InstallOffer {
  label: string
  /** Path, or `itms-services://…`, which Safari hands to the installer. */
  address: string
  /** Whether the browser saves the file. */
  isDownload: boolean
  /** For whom and until when, in whole sentences. */
  limits: readonly string[]
  steps: InstallNote | null
  /** A link that adds the app to Obtainium. */
  obtainium: string | null
  /** Whether the device has to trust the authority of the host first. */
  needsTrust: boolean
}

/** Why nothing can be installed here, and what to do instead. */
export interface InstallObstacle {
  title: string
  text: string
  /** What helps. */
  action?: { label: string; address: string } | undefined
  /** Whether the device has to trust the authority of the host before the action. */
  needsTrust?: boolean
}

/** The install page of a project on one device. */
export interface InstallView {
  title: string
  owner: string
  /** Path of the project's page. */
  page: string
  /** Of the build; null: `stable`, or none. */
  channel: string | null
  /** Of the reader; undefined: unknown. */
  device: Platform | undefined
  /** Path of a PNG. */
  icon: string | null
  /** The newest build for the device. */
  build: InstallBuild | null
  offer: InstallOffer | null
  obstacle: InstallObstacle | null
  /** Other builds for the device, or without a build for it the newest of each platform. */
  others: readonly InstallBuild[]
  /**
   * Path of the page as on an iPad, which calls itself a Mac; null: this is none, or there is no
   * build for it.
   */
  tablet: string | null
  /** The page as on another device. */
  devices: readonly { name: string; address: string; isShown: boolean }[]
  /** For phones to scan; null on a phone. `isForHost`: the reader can share the host. */
  code: {
    address: string
    isReachable: boolean
    isForHost: boolean
    platforms: readonly Platform[]
  } | null
}
