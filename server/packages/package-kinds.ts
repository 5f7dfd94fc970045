/** The package types that contain a version, by extension. */
const KINDS = ['apk', 'ipa', 'zip', 'exe'] as const
export type PackageKind = (typeof KINDS)[number]

/** Undefined for all other files, which are not opened. */
export function packageKindOf(filename: string): PackageKind | undefined {
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase()
  return KINDS.find((kind) => kind === extension)
}
