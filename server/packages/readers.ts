import type { PackageKind } from '../contract/facts'
import { versionName } from './android-manifest.ts'
import { bundleVersion } from './info-plist.ts'
import { readDebianPackage } from './linux/debian-package.ts'
import { readRpmPackage } from './linux/rpm-package.ts'
import { noFacts, type Look } from './look.ts'
import type { PackageFile } from './package-file.ts'
import { productVersion } from './windows-program.ts'
import { memberOf } from './zip-member.ts'

/** Reads one format. Null: not a package. Throws `Unreadable`, or any other error for a damaged package. */
export type Reader = (file: PackageFile) => Promise<Look | null>

const MANIFEST = /^AndroidManifest\.xml$/
const IOS_APP = /^Payload\/[^/]+\.app\/Info\.plist$/
const MAC_APP = /^[^/]+\.app\/Contents\/Info\.plist$/
/** The other content of a zip of a macOS app; a zip whose first file is something else is no app. */
const BESIDE_MAC_APP = /^(__MACOSX|[^/]+\.app)\//

const withVersion = (kind: PackageKind, version: string | null): Look => ({
  facts: { ...noFacts(kind), version },
  icon: null,
})

/** The formats that are read, by extension. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['apk', async (file) => withVersion('apk', versionName(await memberOf(file, MANIFEST)))],
  ['ipa', async (file) => withVersion('ipa', bundleVersion(await memberOf(file, IOS_APP)))],
  ['zip', async (file) => withVersion('app', bundleVersion(await memberOf(file, MAC_APP, BESIDE_MAC_APP)))],
  ['exe', async (file) => withVersion('exe', await productVersion(file))],
  ['deb', readDebianPackage],
  ['rpm', readRpmPackage],
])

/** Undefined for files that are not read. */
export function readerOf(filename: string): Reader | undefined {
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase()
  return extension === undefined ? undefined : readers.get(extension)
}
