import { extensionOf } from '../../lib/filename'

/** What people usually publish for; anything else can be typed. */
export const PLATFORMS = ['Android', 'iOS', 'Windows', 'macOS', 'Linux', 'Web'] as const

const platformByExtension: Record<string, (typeof PLATFORMS)[number]> = {
  apk: 'Android',
  aab: 'Android',
  xapk: 'Android',
  ipa: 'iOS',
  exe: 'Windows',
  msi: 'Windows',
  msix: 'Windows',
  dmg: 'macOS',
  pkg: 'macOS',
  appimage: 'Linux',
  deb: 'Linux',
  rpm: 'Linux',
  snap: 'Linux',
  flatpak: 'Linux',
}

/** The platform that all of these files are for, as their names tell, or '' when they do not agree. */
export function commonPlatform(filenames: readonly string[]): string {
  const found = new Set(filenames.map((name) => platformByExtension[extensionOf(name)] ?? ''))
  const [only] = found
  return found.size === 1 && only ? only : ''
}
