import type { Context } from 'koa'
import { architectureIn, PLATFORMS, visitorPlatform, type Platform } from '../../contract'
import { userAgentOf } from '../../http/pipeline/remote'

/** The device and browser of a visitor. */
export interface Device {
  platform: Platform | undefined
  /** Architecture of the processor. Undefined if the browser does not report it. */
  arch: string | undefined
  userAgent: string
  isPhone: boolean
  /** Whether the visitor chose the device. */
  isChosen: boolean
}

/**
 * Detects the device from the user agent. `chosen`: the platform that the visitor chose, in lower
 * case.
 */
export function detectDevice(userAgent: string, chosen: string | undefined): Device {
  const own = visitorPlatform(userAgent)
  const other = PLATFORMS.find((name) => name.toLowerCase() === chosen)
  const platform = other ?? own
  // A chosen device has an unknown processor. Browsers on phones do not report theirs, and browsers
  // on a Mac report the wrong one.
  const arch =
    platform === own && (own === 'Windows' || own === 'Linux')
      ? architectureIn(userAgent)
      : undefined

  const isPhone = platform === 'Android' || platform === 'iOS'
  return { platform, arch, userAgent, isPhone, isChosen: other !== undefined }
}

/** Detects the device that sends a request. */
export const detectVisitorDevice = (ctx: Context, chosen?: string): Device =>
  detectDevice(userAgentOf(ctx), chosen)

/**
 * The system that gets a file; without a platform, any. Firefox on Linux names the distribution in
 * its user agent.
 */
export interface System {
  platform?: Platform | undefined
  userAgent?: string | undefined
}

/** Returns the formats that a device installs, the preferred one first. */
export function formatsOf({ platform, userAgent = '' }: System): readonly (readonly string[])[] {
  if (platform === 'Android') return [['apk']]
  if (platform === 'iOS') return [['ipa']]
  if (platform === 'Windows') return [['exe', 'msi', 'msix', 'msixbundle', 'appx', 'appxbundle']]
  if (platform === 'macOS') return [['dmg', 'pkg']]
  if (platform !== 'Linux') return []
  if (/ubuntu|debian|mint/i.test(userAgent)) return [['deb'], ['appimage']]
  if (/fedora|suse|red hat/i.test(userAgent)) return [['rpm'], ['appimage']]
  return [['appimage'], ['deb'], ['rpm']]
}

/** Android browsers that need their own steps, by a part of their user agent. */
const androidBrowsers = [
  ['in-app', /; wv\)|FBAN|FBAV|Instagram|Line\//],
  ['samsung', /SamsungBrowser\//],
  ['firefox', /Firefox\//],
  ['other', /EdgA\/|OPR\/|DuckDuckGo\/|UCBrowser\//],
  ['chrome', /Chrome\//],
] as const

export const androidBrowser = ({ userAgent }: Device): (typeof androidBrowsers)[number][0] =>
  androidBrowsers.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? 'other'

/** Other iOS browsers, and browsers inside apps, also contain `Safari/`. */
export const isSafari = ({ userAgent }: Device): boolean =>
  /Version\/[\d.]{1,20} /.test(userAgent) &&
  userAgent.includes(' Safari/') &&
  !/CriOS|FxiOS|EdgiOS|OPT\/|DuckDuckGo|GSA\//.test(userAgent)

export const isIphone = ({ userAgent = '' }: System): boolean => /iphone|ipod/i.test(userAgent)
