/** The extensions of files that are read as packages. */
const extensions = [
  'apk',
  'aab',
  'xapk',
  'apks',
  'ipa',
  'zip',
  'jar',
  'exe',
  'msi',
  'msix',
  'deb',
  'rpm',
  'appimage',
  'pkg',
  'dmg',
] as const
export type PackageExtension = (typeof extensions)[number]

/** In lower case; undefined for files that are not read. */
export function packageExtension(filename: string): PackageExtension | undefined {
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase()
  return extensions.find((known) => known === extension)
}
