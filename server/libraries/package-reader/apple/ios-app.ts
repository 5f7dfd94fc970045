import type { Entry } from 'yauzl'
import type { Facts } from '../../../contract/files/facts'
import { Unreadable, type Look } from '../look.ts'
import { optional } from '../optional.ts'
import type { PackageFile } from '../package-file.ts'
import { readMembers, unpackMember } from '../zip/zip-package.ts'
import { commonFacts, commonPaths } from './app-bundle.ts'
import { uncrushPng } from './crushed-png.ts'
import { parseProperties, type Properties } from './property-list.ts'

const INFO = /^Payload\/[^/]+\.app\/Info\.plist$/
const PROFILE = 'embedded.mobileprovision'

const ICONS = [
  'CFBundleIcons/CFBundlePrimaryIcon/CFBundleIconFiles',
  'CFBundleIcons~ipad/CFBundlePrimaryIcon/CFBundleIconFiles',
  'CFBundleIconFiles',
  'CFBundleIconFile',
]
const MINIMUM = 'MinimumOSVersion'
const FAMILIES = 'UIDeviceFamily'
const PLATFORMS = 'CFBundleSupportedPlatforms'
/** Keys with the reasons for which an app asks for personal data. */
const PRIVACY = /^NS[A-Za-z]{1,80}UsageDescription$/
const paths = [...commonPaths, ...ICONS, MINIMUM, FAMILIES, PLATFORMS]

/** Bytes. */
const MOST_ICON = 512 * 1024
const MOST_ICONS = 4

/** Device names by UIDeviceFamily. */
const DEVICES: ReadonlyMap<string, string> = new Map([
  ['1', 'iPhone'],
  ['2', 'iPad'],
  ['3', 'Apple TV'],
  ['4', 'Apple Watch'],
  ['7', 'Apple Vision'],
])
/** System names by CFBundleSupportedPlatforms; default: iOS. */
const SYSTEMS: ReadonlyMap<string, string> = new Map([
  ['AppleTVOS', 'tvOS'],
  ['WatchOS', 'watchOS'],
  ['XROS', 'visionOS'],
])

type Apple = NonNullable<Facts['apple']>
type Profile = NonNullable<Apple['profile']>
/** Paths in the property list of a profile. */
const EXPIRATION = 'ExpirationDate'
const TEAM = 'TeamName'
const REGISTERED = 'ProvisionedDevices'
const ALL_DEVICES = 'ProvisionsAllDevices'
const DEBUGGABLE = 'Entitlements/get-task-allow'
const ENTITLEMENT = /^Entitlements\/[\w.-]{1,100}$/

/** Reads an IPA: a zip with an app for iOS in `Payload`. */
export async function readIosApp(file: PackageFile): Promise<Look> {
  let isFound = false
  const top = await readMembers(file, (name) => {
    if (isFound) return 'stop'
    isFound = INFO.test(name)
    return isFound ? 'keep' : 'skip'
  })

  const [entry] = top.values()
  if (!entry) throw new Unreadable('This is not an iOS app: it has no Info.plist.')

  const info = parseProperties(await unpackMember(file, entry), paths, PRIVACY)
  const content = entry.fileName.slice(0, -'Info.plist'.length)
  const isIcon = iconsOf(info)
  const app = { file, info, content, programs: content }

  const { facts, members } = await commonFacts(
    'ipa',
    app,
    (path) => path === PROFILE || isIcon(path),
  )

  const signed = members.get(content + PROFILE)
  const parsed = signed
    ? await optional(async () => parseProfile(await unpackMember(file, signed)))
    : null
  const { profile, entitlements, registered } = parsed ?? NO_PROFILE

  const minimum = info.get(MINIMUM)?.[0]
  const devices = (info.get(FAMILIES) ?? [])
    .map((family) => DEVICES.get(family))
    .filter((it) => it !== undefined)

  return {
    facts: {
      ...facts,
      publisher: profile?.team ?? null,
      min_os: minimum ? `${SYSTEMS.get(info.get(PLATFORMS)?.[0] ?? '') ?? 'iOS'} ${minimum}` : null,
      // A development profile lets a debugger attach.
      debug: profile?.kind === 'development',
      apple: { devices: [...new Set(devices)], profile, entitlements, privacy: listPrivacy(info) },
    },
    icon: await readLargestIcon(
      file,
      [...members.values()].filter(({ fileName }) => isIcon(fileName.slice(content.length))),
    ),
    devices: registered,
  }
}

/**
 * Returns a test for icon files next to Info.plist. The system appends a size, as in
 * `AppIcon60x60@2x.png`.
 */
function iconsOf(info: Properties): (path: string) => boolean {
  const names = ICONS.flatMap((path) => info.get(path) ?? []).map((name) =>
    name.replace(/\.png$/, ''),
  )
  return (path) =>
    path.endsWith('.png') && !path.includes('/') && names.some((name) => path.startsWith(name))
}

/** The largest PNG that can be read, with the most bytes. */
async function readLargestIcon(file: PackageFile, icons: readonly Entry[]): Promise<Buffer | null> {
  const small = icons.filter(({ uncompressedSize }) => uncompressedSize <= MOST_ICON)
  const bySize = small.toSorted((a, b) => b.uncompressedSize - a.uncompressedSize)
  for (const entry of bySize.slice(0, MOST_ICONS)) {
    const icon = await optional(async () => uncrushPng(await unpackMember(file, entry, MOST_ICON)))
    if (icon) return icon
  }
  return null
}

interface ReadProfile {
  profile: Profile | null
  entitlements: string[]
  /** UDIDs in lower case. */
  registered?: string[] | undefined
}

const NO_PROFILE: ReadProfile = { profile: null, entitlements: [] }

/**
 * Reads embedded.mobileprovision: CMS signed data with a property list in plain XML (Apple TN3125).
 * Verifies nothing. Throws without a property list or expiry date.
 */
function parseProfile(signed: Buffer): ReadProfile {
  const start = signed.indexOf('<?xml')
  const end = signed.indexOf('</plist>', Math.max(start, 0))
  if (start < 0 || end < 0) throw new Error('There is no property list')

  const paths = [EXPIRATION, TEAM, REGISTERED, ALL_DEVICES, DEBUGGABLE]
  const properties = parseProperties(signed.subarray(start, end), paths, ENTITLEMENT)
  const isTrue = (path: string) => properties.get(path)?.[0] === 'true'
  const devices = properties.get(REGISTERED)

  const profile: Profile = {
    kind: isTrue(ALL_DEVICES)
      ? 'enterprise'
      : !devices
        ? 'app-store'
        : isTrue(DEBUGGABLE)
          ? 'development'
          : 'ad-hoc',
    team: properties.get(TEAM)?.[0] ?? null,
    expires_at: new Date(properties.get(EXPIRATION)?.[0] ?? '').toISOString(),
    devices: isTrue(ALL_DEVICES) ? null : (devices?.length ?? null),
  }

  const entitled = [...properties.keys()].filter((path) => ENTITLEMENT.test(path))
  return {
    profile,
    entitlements: entitled.map((path) => path.slice('Entitlements/'.length)),
    registered: devices?.map((udid) => udid.toLowerCase()),
  }
}

/** Permissions that an app requests, with its reasons. */
const listPrivacy = (info: Properties): Apple['privacy'] =>
  [...info].flatMap(([key, [reason = '']]) => (PRIVACY.test(key) ? [{ key, reason }] : []))
