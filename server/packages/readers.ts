import type { PackageKind } from '../contract/facts'
import { readApk } from './android/apk.ts'
import { bundleVersion } from './info-plist.ts'
import { readDebianPackage } from './linux/debian-package.ts'
import { readRpmPackage } from './linux/rpm-package.ts'
import { noFacts, Unreadable, type Look } from './look.ts'
import type { PackageFile } from './package-file.ts'
import { readWindowsProgram } from './windows/windows-program.ts'
import { membersOf, unpacked } from './zip/zip-package.ts'

/** Reads one format. Null: not a package. Throws `Unreadable`, or any other error for a damaged package. */
export type Reader = (file: PackageFile) => Promise<Look | null>

const IOS_APP = /^Payload\/[^/]+\.app\/Info\.plist$/
const MAC_APP = /^[^/]+\.app\/Contents\/Info\.plist$/
/** The other content of a zip of a macOS app; a zip whose first file is something else is no app. */
const BESIDE_MAC_APP = /^(__MACOSX|[^/]+\.app)\//

const withVersion = (kind: PackageKind, version: string | null): Look => ({
  facts: { ...noFacts(kind), version },
  icon: null,
})

async function firstMember(file: PackageFile, name: RegExp, beside = /^/): Promise<Buffer> {
  const members = await membersOf(file, (it) => (name.test(it) ? 'keep' : beside.test(it) ? 'skip' : 'stop'))
  const [entry] = members.values()
  if (!entry) throw new Unreadable('This is not an app: it has no property list.')
  return unpacked(file, entry)
}

/** The formats that are read, by extension. */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['apk', readApk],
  ['ipa', async (file) => withVersion('ipa', bundleVersion(await firstMember(file, IOS_APP)))],
  ['zip', async (file) => withVersion('app', bundleVersion(await firstMember(file, MAC_APP, BESIDE_MAC_APP)))],
  ['exe', readWindowsProgram],
  ['deb', readDebianPackage],
  ['rpm', readRpmPackage],
])

/** Undefined for files that are not read. */
export function readerOf(filename: string): Reader | undefined {
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase()
  return extension === undefined ? undefined : readers.get(extension)
}
