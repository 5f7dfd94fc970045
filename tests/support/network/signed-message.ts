import { createHash, sign, X509Certificate } from 'node:crypto'
import * as cms from '@peculiar/asn1-cms'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'
import { makeJarSigner } from '../../../server/libraries/jar-signing/jar-signing'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const RSA = '1.2.840.113549.1.1.1'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'

/** A certificate that no authority issued, and its key. */
const aSigner = () => makeJarSigner('A phone', new Date('2026-01-01T00:00:00Z'))

/** A message with its content and attributes, as devices sign it (CMS SignedData, RFC 5652 §5). */
function aSignedMessage(
  { certificate, key }: Awaited<ReturnType<typeof aSigner>>,
  text: string,
): Buffer {
  const content = Buffer.from(text)
  const whole = AsnConvert.parse(new X509Certificate(certificate).raw, x509.Certificate)
  const { issuer, serialNumber } = whole.tbsCertificate
  const digestAlgorithm = new cms.DigestAlgorithmIdentifier({ algorithm: SHA256, parameters: null })

  const digest = new OctetString(createHash('sha256').update(content).digest())
  const signedAttrs = [
    new cms.Attribute({
      attrType: CONTENT_TYPE,
      attrValues: [Uint8Array.from(Buffer.from('06092a864886f70d010701', 'hex')).buffer],
    }),
    new cms.Attribute({ attrType: MESSAGE_DIGEST, attrValues: [AsnConvert.serialize(digest)] }),
  ]
  const members = Buffer.concat(signedAttrs.map((it) => Buffer.from(AsnConvert.serialize(it))))
  const signed = Buffer.concat([Buffer.from([0x31, members.length]), members])

  const signerInfo = new cms.SignerInfo({
    version: cms.CMSVersion.v1,
    sid: new cms.SignerIdentifier({
      issuerAndSerialNumber: new cms.IssuerAndSerialNumber({ issuer, serialNumber }),
    }),
    digestAlgorithm,
    signedAttrs,
    signatureAlgorithm: new cms.SignatureAlgorithmIdentifier({ algorithm: RSA, parameters: null }),
    signature: new OctetString(sign('sha256', signed, key)),
  })

  const data = new cms.SignedData({
    version: cms.CMSVersion.v1,
    digestAlgorithms: new cms.DigestAlgorithmIdentifiers([digestAlgorithm]),
    encapContentInfo: new cms.EncapsulatedContentInfo({
      eContentType: cms.id_data,
      eContent: new cms.EncapsulatedContent({ single: new OctetString(content) }),
    }),
    certificates: new cms.CertificateSet([new cms.CertificateChoices({ certificate: whole })]),
    signerInfos: new cms.SignerInfos([signerInfo]),
  })

  const info = { contentType: cms.id_signedData, content: AsnConvert.serialize(data) }
  return Buffer.from(AsnConvert.serialize(new cms.ContentInfo(info)))
}

/** What a phone that Apple did not certify answers to a profile. */
export async function aDeviceAnswer(fields: Record<'UDID' | 'PRODUCT' | 'CHALLENGE', string>) {
  const list = Object.entries(fields).map(
    ([key, value]) => `<key>${key}</key><string>${value}</string>`,
  )
  const text = `<plist version="1.0"><dict>${list.join('')}</dict></plist>`
  return new Uint8Array(aSignedMessage(await signer(), text))
}

let made: ReturnType<typeof aSigner> | undefined
const signer = () => (made ??= aSigner())
