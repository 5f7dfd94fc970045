import type { PlatformCheck } from '../contract/files/platform-checks'
import type { Platform } from '../contract/files/platforms'
import type { InstallNote } from './install-steps'

/** A build on the install page. Its texts are untrusted, as they come from packages and people. */
export interface InstallBuild {
  filename: string
  version: string | null
  /** Bytes. */
  size: number
  sha256: string
  platform: Platform | null
  /**
   * Requirements in the package, such as `Android 8 or later · arm64`. Empty if there are none.
   */
  facts: string
  /** Path of the file. */
  address: string
}

/** What a system asks before it installs a build, for the person who installs it. */
export type VisitorCheck = Pick<PlatformCheck, 'title' | 'visitors_see' | 'visitors_do' | 'as_of'>

/** An installable build. */
interface InstallOffer {
  label: string
  /** Path, or `itms-services://…`, which Safari hands to the installer. */
  address: string
  /** Whether the browser saves the file. */
  isDownload: boolean
  /** Limits on devices and time, as sentences. */
  limits: readonly string[]
  steps: InstallNote | null
  /** By the facts of the build. */
  checks: readonly VisitorCheck[]
  /** A link that adds the app to Obtainium. */
  obtainium: string | null
  /** Whether the device has to trust the authority of the host first. */
  needsTrust: boolean
}

/** Why nothing can be installed here, with an alternative. */
export interface InstallObstacle {
  title: string
  text: string
  /** Link to the alternative. */
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
  /** Path of the form of a report; null: it takes none. */
  report: string | null
  /** Where a tester sends the identifier of this device; null: for others, or it is sent. */
  registration: string | null
  /** Channel of the build. Null for `stable` or none. */
  channel: string | null
  /** Platform of the reader. Undefined if unknown. */
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
   * Path of the iPad version of the page, as an iPad identifies itself as a Mac. Null on an iPad,
   * or without such a build.
   */
  tablet: string | null
  /** The page as on another device. */
  devices: readonly { name: string; address: string; isShown: boolean }[]
  /** QR code for phones; null on a phone. `isForHost`: the reader can share the host. */
  code: {
    address: string
    isReachable: boolean
    isForHost: boolean
    platforms: readonly Platform[]
  } | null
}
