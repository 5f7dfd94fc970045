import { createHash, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as csr from '@peculiar/asn1-csr'
import * as x509 from '@peculiar/asn1-x509'
import { DAY_MS } from '../../core/clock'
import {
  critical,
  ECDSA_SHA256,
  extension,
  createName,
  newKey,
  signCertificate,
  validFor,
  type Pair,
} from '../certificates/certificate'

/** `extensionRequest` (RFC 2985 §5.4.2). */
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14'
/** `acmeIdentifier` (RFC 8737 §3). */
const ACME_IDENTIFIER = '1.3.6.1.5.5.7.1.31'

/**
 * A new key and the request for its certificate, as DER (RFC 2986). It has no common name, which
 * names replaced.
 */
export function certificateRequest(subject: string): { key: string; request: Buffer } {
  const { key, subjectPublicKeyInfo } = newKey()

  const extensionRequest = AsnConvert.serialize(new x509.Extensions([alternative(subject)]))
  const attribute = new x509.Attribute({ type: EXTENSION_REQUEST, values: [extensionRequest] })
  const certificationRequestInfo = new csr.CertificationRequestInfo({
    subject: new x509.Name(),
    subjectPKInfo: subjectPublicKeyInfo,
    attributes: new csr.Attributes([attribute]),
  })

  const signature = new Uint8Array(
    sign('sha256', Buffer.from(AsnConvert.serialize(certificationRequestInfo)), key),
  )

  const whole = new csr.CertificationRequest({
    certificationRequestInfo,
    signatureAlgorithm: ECDSA_SHA256,
    signature: signature.buffer,
  })
  return { key, request: Buffer.from(AsnConvert.serialize(whole)) }
}

/** The certificate that answers TLS-ALPN-01 (RFC 8737 §3; for addresses RFC 8738 §4). */
export function challengeCertificate(subject: string, keyAuthorization: string, now: Date): Pair {
  const { key, subjectPublicKeyInfo } = newKey()
  const digest = createHash('sha256').update(keyAuthorization).digest()
  const proof = critical(ACME_IDENTIFIER, new OctetString(new Uint8Array(digest)))
  const name = createName('ACME challenge')
  const validity = validFor(now, new Date(now.getTime() + 7 * DAY_MS))
  const body = { issuer: name, subject: name, validity, subjectPublicKeyInfo }
  return { certificate: signCertificate(body, [alternative(subject), proof], key), key }
}

function alternative(subject: string): x509.Extension {
  const name = isIP(subject) === 0 ? { dNSName: subject } : { iPAddress: subject }
  return extension(
    x509.id_ce_subjectAltName,
    new x509.SubjectAlternativeName([new x509.GeneralName(name)]),
  )
}
