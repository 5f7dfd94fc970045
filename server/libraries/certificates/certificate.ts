import { createHash, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'
import { DAY_MS } from '../../core/clock'
import { covers, LOCAL_NETWORKS } from '../../core/net/ip-address'

const ZONES = ['local', 'localhost']
/** An empty zone (RFC 2606): permitting only it permits nothing. */
const NOWHERE = 'invalid'

/** Apple rejects certificates that are valid for more than 825 days, with any issuer. */
const HOST_MS = 397 * DAY_MS
const AUTHORITY_MS = 3650 * DAY_MS
/** Tolerated clock skew of phones, in ms. */
const SLACK_MS = DAY_MS

const COMMON_NAME = '2.5.4.3'
/** The signature algorithm of certificates for TLS. */
export const ECDSA_SHA256 = new x509.AlgorithmIdentifier({ algorithm: '1.2.840.10045.4.3.2' })
export const RSA_SHA256 = new x509.AlgorithmIdentifier({
  algorithm: '1.2.840.113549.1.1.11',
  parameters: null,
})

/** A certificate and its private key, as PEM. */
export interface Pair {
  certificate: string
  key: string
}

/** The names and IP addresses of a host. */
export interface Names {
  names: readonly string[]
  addresses: readonly string[]
}

type Body = Pick<x509.TBSCertificate, 'issuer' | 'subject' | 'validity' | 'subjectPublicKeyInfo'>

/**
 * Creates an authority for this host alone. It is limited to HTTPS at `*.local`, `localhost`, local
 * IP addresses and the host's own: a stolen key cannot sign for other sites, email or programs. Its
 * name ends with the last of `names`.
 */
export function makeAuthority({ names, addresses }: Names, now: Date): Pair {
  const { key, subjectPublicKeyInfo } = newKey()
  const issuer = createName(`Slipway on ${names.at(-1)}`.slice(0, 64))
  const validity = validFor(now, new Date(now.getTime() + AUTHORITY_MS))
  const usage = x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign

  const extensions = [
    critical(
      x509.id_ce_basicConstraints,
      new x509.BasicConstraints({ cA: true, pathLenConstraint: 0 }),
    ),
    critical(x509.id_ce_keyUsage, new x509.KeyUsage(usage)),
    extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_serverAuth])),
    critical(x509.id_ce_nameConstraints, localOnly(addresses)),
    extension(x509.id_ce_subjectKeyIdentifier, keyId(subjectPublicKeyInfo)),
  ]

  return {
    certificate: signCertificate(
      { issuer, subject: issuer, validity, subjectPublicKeyInfo },
      extensions,
      key,
    ),
    key,
  }
}

/** Issues a certificate for these names. Omits addresses that the authority does not permit. */
export function issue(authority: Pair, { names, addresses }: Names, now: Date): Pair {
  const { key, subjectPublicKeyInfo } = newKey()
  const { raw, validTo } = new X509Certificate(authority.certificate)
  const signer = AsnConvert.parse(raw, x509.Certificate).tbsCertificate
  const until = Math.min(now.getTime() + HOST_MS, Date.parse(validTo))

  const alternatives = [
    ...names.map((dNSName) => new x509.GeneralName({ dNSName })),
    ...permittedBy(signer, addresses).map((iPAddress) => new x509.GeneralName({ iPAddress })),
  ]
  const signerId = new x509.AuthorityKeyIdentifier({
    keyIdentifier: keyId(signer.subjectPublicKeyInfo),
  })

  const extensions = [
    critical(x509.id_ce_basicConstraints, new x509.BasicConstraints()),
    critical(x509.id_ce_keyUsage, new x509.KeyUsage(x509.KeyUsageFlags.digitalSignature)),
    extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([x509.id_kp_serverAuth])),
    extension(x509.id_ce_subjectAltName, new x509.SubjectAlternativeName(alternatives)),
    extension(x509.id_ce_subjectKeyIdentifier, keyId(subjectPublicKeyInfo)),
    extension(x509.id_ce_authorityKeyIdentifier, signerId),
  ]

  const validity = validFor(now, new Date(until))
  const body = {
    issuer: signer.subject,
    subject: createName('Slipway'),
    validity,
    subjectPublicKeyInfo,
  }
  return { certificate: signCertificate(body, extensions, authority.key), key }
}

/** A certificate as PEM, signed by `key`, with a random serial number. */
export function signCertificate(
  body: Body,
  extensions: x509.Extension[],
  key: string,
  algorithm = ECDSA_SHA256,
): string {
  const serialNumber = new Uint8Array([0x40, ...randomBytes(15)]).buffer
  const tbsCertificate = new x509.TBSCertificate({
    ...body,
    version: x509.Version.v3,
    serialNumber,
    signature: algorithm,
    // An empty list is not allowed (RFC 5280 §4.1).
    ...(extensions.length > 0 && { extensions: new x509.Extensions(extensions) }),
  })

  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), key)
  const signatureValue = new Uint8Array(signature).buffer

  const whole = new x509.Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue,
  })
  return new X509Certificate(Buffer.from(AsnConvert.serialize(whole))).toString()
}

/**
 * A key for a certificate, as PKCS #8 PEM. P-256: supported by every phone and browser of the last
 * ten years.
 */
export function newKey() {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'der' },
  })
  return { key, subjectPublicKeyInfo: AsnConvert.parse(publicKey, x509.SubjectPublicKeyInfo) }
}

/** A distinguished name of a common name only. */
export function createName(utf8String: string): x509.Name {
  const value = new x509.AttributeValue({ utf8String })
  const name = new x509.AttributeTypeAndValue({ type: COMMON_NAME, value })
  return new x509.Name([new x509.RelativeDistinguishedName([name])])
}

/** Valid from a day ago, for phones whose clock is late. */
export const validFor = (now: Date, notAfter: Date) =>
  new x509.Validity({ notBefore: new Date(now.getTime() - SLACK_MS), notAfter })

const keyId = ({ subjectPublicKey }: x509.SubjectPublicKeyInfo) =>
  new x509.KeyIdentifier(createHash('sha1').update(Buffer.from(subjectPublicKey)).digest())

/** An extension (RFC 5280 §4.2) with the DER of `value`. */
export const extension = (extnID: string, value: object, isCritical = false) =>
  new x509.Extension({
    extnID,
    critical: isCritical,
    extnValue: new OctetString(AsnConvert.serialize(value)),
  })
/** An extension that clients have to understand. */
export const critical = (extnID: string, value: object) => extension(extnID, value, true)

/**
 * The name constraints (RFC 5280 §4.2.1.10) of an authority for `*.local`, `localhost`, local
 * addresses and the host's own `addresses`, and for no other host, person or resource. Directory
 * names stay unconstrained: Go rejects every certificate that constrains them.
 */
function localOnly(addresses: readonly string[]): x509.NameConstraints {
  const own = addresses
    .filter((address) => !covers(LOCAL_NETWORKS, address))
    .map((address) => `${address}/${bitsOf(address)}`)

  const permitted = [
    ...ZONES.map((dNSName) => ({ dNSName })),
    ...[...LOCAL_NETWORKS, ...own].map((iPAddress) => ({ iPAddress })),
    { rfc822Name: NOWHERE },
    { uniformResourceIdentifier: NOWHERE },
  ]

  const subtrees = permitted.map(
    (name) => new x509.GeneralSubtree({ base: new x509.GeneralName(name) }),
  )
  return new x509.NameConstraints({ permittedSubtrees: new x509.GeneralSubtrees(subtrees) })
}

/** The addresses that the constraints of an authority permit. */
function permittedBy(
  { extensions = [] }: x509.TBSCertificate,
  addresses: readonly string[],
): string[] {
  const nameConstraints = extensions.find(({ extnID }) => extnID === x509.id_ce_nameConstraints)
  if (!nameConstraints) return []
  const { permittedSubtrees = [] } = AsnConvert.parse(
    nameConstraints.extnValue,
    x509.NameConstraints,
  )

  const networks = permittedSubtrees.flatMap(({ base }) => base.iPAddress ?? [])
  return addresses.filter((address) => covers(networks, address))
}

const bitsOf = (address: string) => (address.includes(':') ? 128 : 32)
