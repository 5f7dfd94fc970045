import { Unreadable, type Look } from '../look.ts'
import type { PackageFile } from '../package-file.ts'
import { isJarSignature, readJarSignature } from '../zip/jar-signature.ts'
import { readMembers, unpackMember } from '../zip/zip-package.ts'
import { architecturesOf } from './apk.ts'
import { describeManifest, parseManifest } from './manifest.ts'
import { protobufElements } from './protobuf-xml.ts'

const MANIFEST = 'base/manifest/AndroidManifest.xml'
const LIBRARY = /^[^/]+\/lib\/([^/]+)\/[^/]+$/

/**
 * Reads an AAB (Android developer docs, "The Android App Bundle format"). Its label and icon are
 * not read.
 */
export async function readAndroidBundle(file: PackageFile): Promise<Look> {
  const abis = new Set<string>()
  const members = await readMembers(file, (name) => {
    const abi = LIBRARY.exec(name)?.[1]
    if (abi !== undefined) abis.add(abi)
    return name === MANIFEST || isJarSignature(name) ? 'keep' : 'skip'
  })

  const entry = members.get(MANIFEST)
  if (!entry) throw new Unreadable('This is not an Android app bundle: it has no manifest.')
  const manifest = parseManifest(protobufElements(await unpackMember(file, entry)))
  const { isSigned, signer } = await readJarSignature(file, members)

  const facts = {
    ...describeManifest('aab', manifest, { schemes: isSigned ? [1] : [], signer }),
    name: typeof manifest.label === 'string' ? manifest.label : null,
    version: typeof manifest.versionName === 'object' ? null : String(manifest.versionName),
    architectures: architecturesOf(abis),
  }
  return { facts, icon: null }
}
