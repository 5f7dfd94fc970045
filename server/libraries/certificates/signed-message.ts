import { createHash, verify, X509Certificate } from 'node:crypto'
import * as cms from '@peculiar/asn1-cms'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as asn1 from 'asn1js'

/** The digests that signers may use, by their object identifiers. */
const DIGESTS: ReadonlyMap<string, string> = new Map([
  ['1.3.14.3.2.26', 'sha1'],
  ['2.16.840.1.101.3.4.2.1', 'sha256'],
  ['2.16.840.1.101.3.4.2.2', 'sha384'],
  ['2.16.840.1.101.3.4.2.3', 'sha512'],
])

const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const SET = 0x31

/** What a message contains, and the certificate that came with it, which nothing has verified. */
export interface SignedMessage {
  content: Buffer
  signer: X509Certificate
}

/**
 * Opens a message with one signer and its certificate (CMS SignedData, RFC 5652 §5). Throws if it
 * is something else, or if the signature does not fit. Whose certificate it is remains to be
 * decided.
 */
export function openSignedMessage(der: Buffer): SignedMessage {
  const info = AsnConvert.parse(der, cms.ContentInfo)
  if (info.contentType !== cms.id_signedData) throw new Error('Not a signed message')
  const data = AsnConvert.parse(info.content, cms.SignedData)

  const content = readContent(data.encapContentInfo.eContent)
  const [signature, ...others] = data.signerInfos
  if (!content || !signature || others.length > 0)
    throw new Error('The message has no content, or not one signer')

  const signer = findSigner(data, signature)
  if (!isSigned(content, signature, signer)) throw new Error('The signature does not fit')
  return { content, signer }
}

/** The content; signers that stream write it in parts, which BER allows. */
function readContent({ single, any }: cms.EncapsulatedContent = {}): Buffer | undefined {
  if (single) return Buffer.from(single.buffer)
  const { result } = asn1.fromBER(any ?? new ArrayBuffer())
  return result instanceof asn1.OctetString ? Buffer.from(result.getValue()) : undefined
}

function findSigner({ certificates = [] }: cms.SignedData, { sid }: cms.SignerInfo) {
  const serial = sid.issuerAndSerialNumber?.serialNumber
  const found = [...certificates].find(
    ({ certificate }) =>
      serial !== undefined &&
      certificate !== undefined &&
      Buffer.from(serial).equals(Buffer.from(certificate.tbsCertificate.serialNumber)),
  )

  if (!found) throw new Error('The certificate of the signer is missing')
  return new X509Certificate(Buffer.from(AsnConvert.serialize(found)))
}

function isSigned(content: Buffer, info: cms.SignerInfo, { publicKey }: X509Certificate): boolean {
  const digest = DIGESTS.get(info.digestAlgorithm.algorithm)
  if (digest === undefined) return false
  const signature = Buffer.from(info.signature.buffer)
  if (!info.signedAttrs) return verify(digest, content, publicKey, signature)

  const attribute = info.signedAttrs.find(({ attrType }) => attrType === MESSAGE_DIGEST)
  const [value] = attribute?.attrValues ?? []
  const claimed = value && Buffer.from(AsnConvert.parse(value, OctetString).buffer)
  if (!claimed?.equals(createHash(digest).update(content).digest())) return false

  return verify(digest, toSet(info.signedAttrs), publicKey, signature)
}

/**
 * The attributes as what is signed: in DER, with the tag of a set, which they do not have in the
 * message (RFC 5652 §5.4). They keep their order, which DER prescribes.
 */
function toSet(attributes: readonly cms.Attribute[]): Buffer {
  const members = Buffer.concat(attributes.map((it) => Buffer.from(AsnConvert.serialize(it))))
  const digits = members.length.toString(16)
  const length = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex')
  const head = members.length < 0x80 ? [] : [0x80 + length.length]
  return Buffer.concat([Buffer.from([SET, ...head]), length, members])
}
