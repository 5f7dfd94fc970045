import { extensionOf } from './filename'

/** What people usually publish for; anything else can be typed. */
export const PLATFORMS = ['Android', 'iOS', 'Windows', 'macOS', 'Linux', 'Web'] as const
export type Platform = (typeof PLATFORMS)[number]

const extensions: Partial<Record<Platform, readonly string[]>> = {
  Android: ['apk', 'aab', 'xapk'],
  iOS: ['ipa'],
  Windows: ['exe', 'msi', 'msix'],
  macOS: ['dmg', 'pkg'],
  Linux: ['appimage', 'deb', 'rpm', 'snap', 'flatpak'],
}
const byExtension = new Map(
  PLATFORMS.flatMap((platform) => (extensions[platform] ?? []).map((extension) => [extension, platform] as const)),
)

/** Packages that run wherever they are unpacked or have their runtime. */
const neutral = ['jar', 'zip', 'tar.gz', 'tgz', '7z']

/** How people write the platforms, as whole words in free text: 'Windows x64', 'mac (Apple silicon)'. */
const spellings: readonly [Platform, RegExp][] = [
  ['Android', /\bandroid\b/i],
  ['iOS', /\b(ios|iphone|ipad|ipados)\b/i],
  ['Windows', /\b(windows|win(32|64|10|11)?)\b/i],
  ['macOS', /\b(mac ?os|mac|osx|os x|darwin)\b/i],
  ['Linux', /\b(linux|ubuntu|debian|fedora)\b/i],
  ['Web', /\b(web|browser)\b/i],
]

/** The platform that a filename tells, if any. */
export const platformOfFilename = (filename: string): Platform | undefined => byExtension.get(extensionOf(filename))

/** The platform that a publisher wrote, if it is one that we know. */
const platformNamed = (text: string): Platform | undefined => spellings.find(([, spelling]) => spelling.test(text))?.[0]

/** The platform that a published file is for: what its publisher wrote, else what its name tells. */
export function platformOf({
  filename,
  platform,
}: {
  filename: string
  platform: string | null
}): Platform | undefined {
  return (platform === null ? undefined : platformNamed(platform)) ?? platformOfFilename(filename)
}

/** Whether a file is something to install or unpack, and not what is said about it. */
export function isPackage({ filename, platform }: { filename: string; platform: string | null }): boolean {
  return platformOf({ filename, platform }) !== undefined || neutral.includes(extensionOf(filename))
}

/** The platform of the device that this page is open on. */
export function visitorPlatform(
  agent = navigator.userAgent,
  touchPoints = navigator.maxTouchPoints,
): Platform | undefined {
  if (/android/i.test(agent)) return 'Android'
  // An iPad calls itself a Mac, and is the only one with a touch screen.
  if (/iphone|ipad|ipod/i.test(agent) || (/macintosh/i.test(agent) && touchPoints > 1)) return 'iOS'
  if (/windows/i.test(agent)) return 'Windows'
  if (/mac os x|macintosh/i.test(agent)) return 'macOS'
  if (/linux|x11/i.test(agent)) return 'Linux'
  return undefined
}
