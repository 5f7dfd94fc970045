import { packageKinds, type PackageKind } from '../contract/facts'

/** The extension of a file that is read as a package: its kind, but a macOS app is in a zip. */
export type PackageExtension = Exclude<PackageKind, 'app'> | 'zip'

const extensions = packageKinds.map((kind): PackageExtension => (kind === 'app' ? 'zip' : kind))

/** In lower case; undefined for files that are not read. */
export function packageExtension(filename: string): PackageExtension | undefined {
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase()
  return extensions.find((known) => known === extension)
}
