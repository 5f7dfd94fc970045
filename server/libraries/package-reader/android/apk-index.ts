import { createHash } from 'node:crypto'
import type { Facts } from '../../../contract/files/facts'
import type { IndexOf } from '../../../contract/files/package-index'
import { toLine } from '../index-text.ts'
import { Unreadable } from '../look.ts'
import type { AndroidManifest } from './manifest.ts'
import type { ApkSignature } from './apk-signature.ts'

/** Parts of an app besides its manifest. */
export interface AppParts {
  facts: Pick<Facts, 'name' | 'version'>
  signature: ApkSignature
  /** Android ABI names. */
  abis: Iterable<string>
}

/** Builds the F-Droid index entry of an app. Throws Unreadable if F-Droid would reject it. */
export function apkIndex(
  manifest: AndroidManifest,
  { facts, signature, abis }: AppParts,
): IndexOf<'apk'> {
  const { appId, versionCode } = manifest
  if (appId === null || !/^[\w.]{1,200}$/.test(appId) || versionCode === null)
    throw new Unreadable('This app has no application ID or version code that F-Droid accepts.')

  const { certificate, signer } = signature
  const sig = createHash('md5')
    .update(certificate?.toString('hex') ?? '')
    .digest('hex')

  return {
    kind: 'apk',
    appId,
    versionCode,
    versionName: facts.version === null ? null : toLine(facts.version),
    label: facts.name === null ? null : toLine(facts.name),
    minSdk: manifest.minSdk,
    targetSdk: manifest.targetSdk,
    maxSdk: manifest.maxSdk,
    nativecode: [...abis].filter((abi) => /^[\w-]{1,20}$/.test(abi)).toSorted(),
    permissions: manifest.usesPermissions.filter(({ name }) => /^\S+$/.test(name)),
    features: manifest.features.filter((name) => /^\S+$/.test(name)),
    signer: signer && { sha256: signer.sha256, sig },
  }
}
