import type { ByteSource } from '../core/byte-source'
import { versionName } from './android-manifest.ts'
import { bundleVersion } from './info-plist.ts'
import type { PackageFile } from './package-file.ts'
import { packageKindOf, type PackageKind } from './package-kinds.ts'
import { productVersion } from './windows-program.ts'
import { memberOf } from './zip-member.ts'

/** As the contract takes one, in characters. */
const MOST = 64
/** What tells nobody anything, or turns text around. */
const UNSEEN = /\p{C}/u

type Reader = (file: PackageFile) => Promise<string | null>
type Opened = Pick<ByteSource, 'read' | 'close'>

const MANIFEST = /^AndroidManifest\.xml$/
const IOS_APP = /^Payload\/[^/]+\.app\/Info\.plist$/
const MAC_APP = /^[^/]+\.app\/Contents\/Info\.plist$/
/** What else is in a zip of a macOS app: any other zip is known by its first file. */
const BESIDE_MAC_APP = /^(__MACOSX|[^/]+\.app)\//

/** Where packages say which version they are. */
const readers: Readonly<Record<PackageKind, Reader>> = {
  apk: async (file) => versionName(await memberOf(file, MANIFEST)),
  ipa: async (file) => bundleVersion(await memberOf(file, IOS_APP)),
  zip: async (file) => bundleVersion(await memberOf(file, MAC_APP, BESIDE_MAC_APP)),
  exe: productVersion,
}

/**
 * The version that a package itself tells: an Android app, an iOS app, a zip of a macOS app, a Windows program. Null for
 * all other files, which are not opened, and for what is damaged or made to deceive. It never throws, and is bounded in
 * memory. In time it is not: `PackageReader` runs it in a worker.
 *
 * @param size - of the file, in bytes
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
