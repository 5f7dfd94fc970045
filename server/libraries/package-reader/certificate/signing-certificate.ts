import { toShown } from '../shown-text.ts'
import { X509Certificate } from 'node:crypto'
import type { Facts } from '../../../contract/files/facts'

type Signer = NonNullable<Facts['signer']>

/** One element of DER (X.690). `whole` includes its tag and length. */
interface Element {
  tag: number
  content: Buffer
  whole: Buffer
}

const INTEGER = 0x02
const OBJECT_ID = 0x06
const SEQUENCE = 0x30
const SET = 0x31
/**
 * Tag [0]: the content of a ContentInfo, the certificates of SignedData, the version of a
 * certificate.
 */
const FIRST = 0xa0
/** The object id of SignedData, 1.2.840.113549.1.7.2. */
const SIGNED_DATA = '2a864886f70d010702'
/** The real ones have 1 to 10; a chain has no more. */
const MOST_CERTIFICATES = 50
/** Limit in bytes. Certificates have 1 to 2 kB. */
const MOST_BYTES = 64 * 1024
/** Limit of the contract, in characters. */
const LONGEST_NAME = 100

/**
 * The certificate that signed a PKCS#7 SignedData (RFC 2315), as in JAR signatures and
 * Authenticode: the one that the first SignerInfo references by issuer and serial number, otherwise
 * the first one. Ignores trailing bytes, and verifies no signature. Throws if it is damaged or has
 * no certificate.
 */
export const signingCertificate = (pkcs7: Buffer): Signer =>
  parseSigner(signingCertificateBytes(pkcs7))

/** That certificate in DER. Throws likewise. */
export function signingCertificateBytes(pkcs7: Buffer): Buffer {
  const [type, content] = parseElements(only(pkcs7, SEQUENCE).content)
  if (
    type?.tag !== OBJECT_ID ||
    type.content.toString('hex') !== SIGNED_DATA ||
    content?.tag !== FIRST
  )
    throw new Error('Not signed data')

  const signed = parseElements(only(content.content, SEQUENCE).content)
  const certificates = parseElements(
    signed.find(({ tag }) => tag === FIRST)?.content ?? Buffer.alloc(0),
  )

  // The digest algorithms are a set too; the signers are the last one.
  const signers = signed.findLast(({ tag }) => tag === SET)
  const [signer] = parseElements(signers?.content ?? Buffer.alloc(0), 1)
  const id = signer && parseElements(signer.content, 2)[1]

  const [first] = certificates
  const certificate =
    certificates.find((it) => id !== undefined && issuerAndSerial(it).equals(id.content)) ?? first
  if (!certificate) throw new Error('There is no certificate')
  return certificate.whole
}

/** Describes an X.509 certificate in DER. Throws if it is damaged. */
export function parseSigner(certificate: Buffer): Signer {
  if (certificate.length > MOST_BYTES) throw new Error('The certificate is too large')
  const x509 = new X509Certificate(certificate)
  const expires = new Date(x509.validTo)
  return {
    sha256: x509.fingerprint256.replaceAll(':', '').toLowerCase(),
    name: nameIn(x509.subject),
    expires_at: Number.isNaN(expires.getTime()) ? null : expires.toISOString(),
  }
}

/** Both names of a certificate, as a SignerInfo has them in its own sequence. */
function issuerAndSerial(certificate: Element): Buffer {
  const [body] = parseElements(certificate.content, 1)
  const fields = parseElements(body?.content ?? Buffer.alloc(0), 4)
  if (fields[0]?.tag === FIRST) fields.shift()
  const [serial, , issuer] = fields
  return serial?.tag === INTEGER && issuer
    ? Buffer.concat([issuer.whole, serial.whole])
    : Buffer.alloc(0)
}

/**
 * The common name, otherwise the organisation. OpenSSL gives one field per line:
 * `CN=Rocket\, Inc.`.
 */
function nameIn(subject: string): string | null {
  const lines = subject.split('\n')
  const line = lines.find((it) => it.startsWith('CN=')) ?? lines.find((it) => it.startsWith('O='))
  const value = line?.slice(line.indexOf('=') + 1).replaceAll(/\\([^\dA-F])/g, '$1')
  return toShown(value, LONGEST_NAME)
}

function only(bytes: Buffer, tag: number): Element {
  const [element] = parseElements(bytes, 1)
  if (element?.tag !== tag) throw new Error('Not the expected structure')
  return element
}

/**
 * The elements that follow each other in `bytes`. Throws for one that is cut, indefinite, or has a
 * long tag.
 */
function parseElements(bytes: Buffer, most = MOST_CERTIFICATES): Element[] {
  const elements: Element[] = []
  for (let at = 0; at < bytes.length && elements.length < most;) {
    const tag = bytes.readUInt8(at)
    const short = bytes.readUInt8(at + 1)
    const size = short < 0x80 ? 0 : short - 0x80

    if ((tag & 0x1f) === 0x1f || short === 0x80 || size > 4) throw new Error('Unsupported encoding')
    const start = at + 2 + size
    const end = start + (size === 0 ? short : bytes.readUIntBE(at + 2, size))
    if (end > bytes.length) throw new RangeError('An element is cut')

    elements.push({ tag, content: bytes.subarray(start, end), whole: bytes.subarray(at, end) })
    at = end
  }
  return elements
}
