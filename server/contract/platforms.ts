import { fileKind, type FileKind } from './file-kind'

/** What people usually publish for; anything else can be typed. */
export const PLATFORMS = ['Android', 'iOS', 'Windows', 'macOS', 'Linux', 'Web'] as const
export type Platform = (typeof PLATFORMS)[number]

const byKind: Partial<Record<FileKind, Platform>> = {
  android: 'Android',
  ios: 'iOS',
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
}

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
export const platformOfFilename = (filename: string): Platform | undefined => byKind[fileKind(filename)]

/** The platform that a publisher wrote, if it is one that we know. */
const platformNamed = (text: string): Platform | undefined => spellings.find(([, spelling]) => spelling.test(text))?.[0]

/** A published file, as far as it tells what it is for. */
export interface Published {
  filename: string
  /** What its publisher wrote. */
  platform: string | null
}

/** The platform that a published file is for: what its publisher wrote, else what its name tells. */
export const platformOf = ({ filename, platform }: Published): Platform | undefined =>
  (platform === null ? undefined : platformNamed(platform)) ?? platformOfFilename(filename)

/** The platforms that files are for, in the usual order. */
export function platformsOf(published: readonly Published[]): Platform[] {
  const found = new Set(published.map(platformOf))
  return PLATFORMS.filter((platform) => found.has(platform))
}
