import { noFacts, Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'
import { isJarSignature, readJarSignature } from '../zip/jar-signature.ts'
import { readMembers, unpacked } from '../zip/zip-package.ts'
import { androidVersion } from '../../../contract/files/android-version.ts'
import { architecturesOf } from './apk.ts'
import { parseManifest } from './manifest.ts'
import { protobufElements } from './protobuf-xml.ts'

const MANIFEST = 'base/manifest/AndroidManifest.xml'
const LIBRARY = /^[^/]+\/lib\/([^/]+)\/[^/]+$/

/** Reads an AAB (Android developer docs, "The Android App Bundle format"). Its label and icon are not read. */
export async function readAndroidBundle(file: PackageFile): Promise<Look> {
  const abis = new Set<string>()
  const members = await readMembers(file, (name) => {
    const abi = LIBRARY.exec(name)?.[1]
    if (abi !== undefined) abis.add(abi)
    return name === MANIFEST || isJarSignature(name) ? 'keep' : 'skip'
  })
  const entry = members.get(MANIFEST)
  if (!entry) throw new Unreadable('This is not an Android app bundle: it has no manifest.')
  const manifest = parseManifest(protobufElements(await unpacked(file, entry)))
  const { isSigned, signer } = await readJarSignature(file, members)
  const facts = {
    ...noFacts('aab'),
    name: typeof manifest.label === 'string' ? manifest.label : null,
    app_id: manifest.appId,
    version: typeof manifest.versionName === 'object' ? null : String(manifest.versionName),
    build: manifest.versionCode,
    architectures: architecturesOf(abis),
    min_os: androidVersion(manifest.minSdk),
    debug: manifest.isDebuggable,
    is_signed: isSigned,
    signer,
    android: {
      min_sdk: manifest.minSdk,
      target_sdk: manifest.targetSdk,
      permissions: manifest.permissions,
      signature_schemes: isSigned ? [1] : [],
    },
  }
  return { facts, icon: null }
}
