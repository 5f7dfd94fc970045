import { fileKind, platformOfFilename } from './formats'

/** Suggested platforms; other text is allowed. */
export const PLATFORMS = [
  'Android',
  'iOS',
  'Windows',
  'macOS',
  'Linux',
  'Web',
  'Image',
  'Firmware',
] as const
export type Platform = (typeof PLATFORMS)[number]

/** Spellings in free text, as whole words: 'Windows x64', 'mac (Apple silicon)'. */
const spellings: readonly [Platform, RegExp][] = [
  ['Android', /\bandroid\b/i],
  ['iOS', /\b(ios|iphone|ipad|ipados)\b/i],
  ['Windows', /\b(windows|win(32|64|10|11)?)\b/i],
  ['macOS', /\b(mac ?os|mac|osx|os x|darwin)\b/i],
  ['Linux', /\b(linux|ubuntu|debian|fedora)\b/i],
  ['Web', /\b(web|browser)\b/i],
  ['Image', /\bimages?\b/i],
  ['Firmware', /\bfirmware\b/i],
]

/** Finds a known platform in the publisher's text. */
const platformNamed = (text: string): Platform | undefined =>
  spellings.find(([, spelling]) => spelling.test(text))?.[0]

/** The fields of a file that imply its platform. */
export interface Published {
  filename: string
  platform: string | null
}

/** Returns the platform from the publisher's text, else from the filename. */
export const platformOf = ({ filename, platform }: Published): Platform | undefined =>
  (platform === null ? undefined : platformNamed(platform)) ?? platformOfFilename(filename)

/** Whether a file is installable or an archive, unlike notes or checksums. */
export const isPackage = (file: Published): boolean =>
  platformOf(file) !== undefined || fileKind(file.filename) === 'archive'

/** The names of architectures in filenames, as whole words. */
const architectures = [
  ['arm64', /(?<![a-z0-9])(arm64(-v8a)?|aarch64)(?![a-z0-9])/i],
  ['x64', /(?<![a-z0-9])(x64|amd64|x86[_-]64)(?![a-z0-9])/i],
  ['arm', /(?<![a-z0-9])(arm|armhf|armv7[al]?|armeabi(-v7a)?)(?![a-z0-9])/i],
  ['x86', /(?<![a-z0-9])(x86|i[36]86|ia32|win32)(?![a-z0-9])/i],
] as const

/** Returns the architecture that a text names; undefined: any. */
export const architectureIn = (text: string): string | undefined =>
  architectures.find(([, spelling]) => spelling.test(text))?.[0]

/** Returns the distinct platforms, in the usual order. */
export function platformsOf(published: readonly Published[]): Platform[] {
  const platforms = new Set(published.map(platformOf))
  return PLATFORMS.filter((platform) => platforms.has(platform))
}

/** The platform of a browser by its user agent; undefined: another. */
export function visitorPlatform(agent: string, touchPoints = 0): Platform | undefined {
  if (/android/i.test(agent)) return 'Android'
  // An iPad identifies as a Mac, and is the only one with a touch screen.
  if (/iphone|ipad|ipod/i.test(agent) || (/macintosh/i.test(agent) && touchPoints > 1)) return 'iOS'
  if (/windows/i.test(agent)) return 'Windows'
  if (/mac os x|macintosh/i.test(agent)) return 'macOS'
  if (/linux|x11/i.test(agent)) return 'Linux'
  return undefined
}
