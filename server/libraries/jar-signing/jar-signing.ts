import { generateKeyPair, sign, X509Certificate } from 'node:crypto'
import { promisify } from 'node:util'
import * as cms from '@peculiar/asn1-cms'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'
import { sha256Of } from '../../core/sha256'
import { createName, RSA_SHA256, signCertificate, type Pair } from '../certificates/certificate'

const NEVER = new Date('2100-01-01T00:00:00Z')
const SHA256 = '2.16.840.1.101.3.4.2.1'
const RSA = '1.2.840.113549.1.1.1'

/** A file in a JAR. */
export interface JarMember {
  /** At most 64 characters, as no line may exceed 72 bytes. */
  name: string
  content: Buffer
}

/** Makes an RSA key and its self-signed certificate. Takes seconds, but not on this thread. */
export async function makeJarSigner(name: string, since: Date): Promise<Pair> {
  const { privateKey: key, publicKey } = await promisify(generateKeyPair)('rsa', {
    modulusLength: 3072,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })

  const subjectPublicKeyInfo = AsnConvert.parse(publicKey, x509.SubjectPublicKeyInfo)
  const validity = new x509.Validity({ notBefore: since, notAfter: NEVER })
  const body = {
    issuer: createName(name),
    subject: createName(name),
    validity,
    subjectPublicKeyInfo,
  }

  return { certificate: signCertificate(body, [], key, RSA_SHA256), key }
}

/** Adds the signature to members: zipped in this order, they are a signed JAR. */
export function signJar(signer: Pair, members: readonly JarMember[]): JarMember[] {
  const sections = members.map(
    ({ name, content }) => `Name: ${name}\r\nSHA-256-Digest: ${digest(content)}\r\n\r\n`,
  )
  const manifest = Buffer.from(`Manifest-Version: 1.0\r\n\r\n${sections.join('')}`)

  const entries = members.map(
    ({ name }, index) =>
      `Name: ${name}\r\nSHA-256-Digest: ${digest(sections[index] ?? '')}\r\n\r\n`,
  )
  const signatureFile = Buffer.from(
    `Signature-Version: 1.0\r\nSHA-256-Digest-Manifest: ` +
      `${digest(manifest)}\r\n\r\n${entries.join('')}`,
  )

  return [
    { name: 'META-INF/MANIFEST.MF', content: manifest },
    { name: 'META-INF/HOST.SF', content: signatureFile },
    { name: 'META-INF/HOST.RSA', content: signedData(signer, signatureFile) },
    ...members,
  ]
}

const digest = (content: string | Buffer) => sha256Of(content, 'base64')

/** A detached CMS signature with the certificate of its signer. */
function signedData({ certificate, key }: Pair, content: Buffer): Buffer {
  const whole = AsnConvert.parse(new X509Certificate(certificate).raw, x509.Certificate)
  const { issuer, serialNumber } = whole.tbsCertificate

  const digestAlgorithm = new cms.DigestAlgorithmIdentifier({ algorithm: SHA256, parameters: null })
  const signerInfo = new cms.SignerInfo({
    version: cms.CMSVersion.v1,
    sid: new cms.SignerIdentifier({
      issuerAndSerialNumber: new cms.IssuerAndSerialNumber({ issuer, serialNumber }),
    }),
    digestAlgorithm,
    signatureAlgorithm: new cms.SignatureAlgorithmIdentifier({ algorithm: RSA, parameters: null }),
    signature: new OctetString(sign('sha256', content, key)),
  })

  const data = new cms.SignedData({
    version: cms.CMSVersion.v1,
    digestAlgorithms: new cms.DigestAlgorithmIdentifiers([digestAlgorithm]),
    encapContentInfo: new cms.EncapsulatedContentInfo({ eContentType: cms.id_data }),
    certificates: new cms.CertificateSet([new cms.CertificateChoices({ certificate: whole })]),
    signerInfos: new cms.SignerInfos([signerInfo]),
  })

  const info = new cms.ContentInfo({
    contentType: cms.id_signedData,
    content: AsnConvert.serialize(data),
  })
  return Buffer.from(AsnConvert.serialize(info))
}
