import type { ByteSource } from '../core/byte-source'
import { versionName } from './android-manifest.ts'
import { bundleVersion } from './info-plist.ts'
import type { PackageFile } from './package-file.ts'
import { packageKindOf, type PackageKind } from './package-kinds.ts'
import { productVersion } from './windows-program.ts'
import { memberOf } from './zip-member.ts'

/** The maximum length in the contract, in characters. */
const MOST = 64
/** Invisible characters and those that reverse text. */
const UNSEEN = /\p{C}/u

type Reader = (file: PackageFile) => Promise<string | null>
type Opened = Pick<ByteSource, 'read' | 'close'>

const MANIFEST = /^AndroidManifest\.xml$/
const IOS_APP = /^Payload\/[^/]+\.app\/Info\.plist$/
const MAC_APP = /^[^/]+\.app\/Contents\/Info\.plist$/
/** The other content of a zip of a macOS app; a zip whose first file is something else is no app. */
const BESIDE_MAC_APP = /^(__MACOSX|[^/]+\.app)\//

const readers: Readonly<Record<PackageKind, Reader>> = {
  apk: async (file) => versionName(await memberOf(file, MANIFEST)),
  ipa: async (file) => bundleVersion(await memberOf(file, IOS_APP)),
  zip: async (file) => bundleVersion(await memberOf(file, MAC_APP, BESIDE_MAC_APP)),
  exe: productVersion,
}

/**
 * Reads the version from a package: Android app, iOS app, zip of a macOS app, or Windows program. Null for all other
 * files, which are not opened, and for damaged or deceptive ones. Never throws; memory is bounded, time is not:
 * `PackageReader` runs it in a worker. `size` is in bytes.
 */
export async function versionInPackage(
  filename: string,
  size: number,
  open: () => Promise<Opened>,
): Promise<string | null> {
  const kind = packageKindOf(filename)
  if (!kind) return null
  const version = (await readWith(readers[kind], size, open).catch(() => null))?.trim() ?? ''
  return version === '' || version.length > MOST || UNSEEN.test(version) ? null : version
}

async function readWith(reader: Reader, size: number, open: () => Promise<Opened>): Promise<string | null> {
  const bytes = await open()
  try {
    return await reader({ bytes, size })
  } finally {
    await bytes.close()
  }
}
