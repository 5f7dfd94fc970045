import type { ByteSource } from '../http/byte-source'
import { versionName } from './android-manifest'
import { bundleVersion } from './info-plist'
import type { PackageFile } from './package-file'
import { productVersion } from './windows-program'
import { memberOf } from './zip-member'

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

/** Where packages say which version they are, by extension. */
const readers: Readonly<Record<string, Reader>> = {
  apk: async (file) => versionName(await memberOf(file, MANIFEST)),
  ipa: async (file) => bundleVersion(await memberOf(file, IOS_APP)),
  zip: async (file) => bundleVersion(await memberOf(file, MAC_APP, BESIDE_MAC_APP)),
  exe: productVersion,
}

/**
 * The version that a package itself tells: an Android app, an iOS app, a zip of a macOS app, a Windows program. Null for
 * all other files, which are not opened, and for what is damaged or made to deceive. It never throws, and is bounded in
 * time and memory.
 *
 * @param size - of the file, in bytes
 */
export async function versionInPackage(
  filename: string,
  size: number,
  open: () => Promise<Opened>,
): Promise<string | null> {
  const extension = /\.([a-z]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? ''
  const reader = Object.hasOwn(readers, extension) ? readers[extension] : undefined
  if (!reader) return null
  const version = (await readWith(reader, size, open).catch(() => null))?.trim() ?? ''
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
