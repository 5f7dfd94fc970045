import type { Facts } from '../../../contract/files/facts'
import { parseSigner, signingCertificateBytes } from '../certificate/signing-certificate.ts'
import { optional } from '../optional.ts'
import type { PackageFile } from '../package-file.ts'
import { unpackMember, type Members } from './zip-package.ts'

const PKCS7 = /^META-INF\/[^/]+\.(RSA|DSA|EC)$/i

export interface JarSignature {
  isSigned: boolean
  /** Null: unsigned, or the certificate cannot be read. */
  signer: Facts['signer']
  /** DER. */
  certificate: Buffer | null
}

/**
 * Whether this member is the signature of a JAR, an AAB, or an APK for old devices (JAR File
 * Specification).
 */
export const isJarSignature = (name: string): boolean => PKCS7.test(name)

/** The first signature among the members. Verifies nothing. */
export async function readJarSignature(file: PackageFile, members: Members): Promise<JarSignature> {
  const [, entry] = [...members].find(([name]) => isJarSignature(name)) ?? []
  if (!entry) return { isSigned: false, signer: null, certificate: null }
  const certificate = await optional(async () =>
    signingCertificateBytes(await unpackMember(file, entry)),
  )
  const signer = certificate && (await optional(() => parseSigner(certificate)))
  return { isSigned: true, signer, certificate }
}
