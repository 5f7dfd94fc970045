import { createHash, createPrivateKey, sign, X509Certificate, type KeyObject } from 'node:crypto'
import { isIP } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import {
  createName,
  critical,
  ECDSA_SHA256,
  extension,
  newKey,
  signCertificate,
  validFor,
  type Pair,
} from '../certificates/certificate'
import { AcmeAccount, toAcmeError } from './acme-account'
import { AcmeError } from './acme-error'
import { authorizationSchema, orderSchema, type Directory } from './acme-replies'
import { AcmeTransport } from './acme-transport'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as csr from '@peculiar/asn1-csr'
import * as x509 from '@peculiar/asn1-x509'
import { DAY_MS } from '../../core/clock'

/** Timeout of a whole order, in ms. Let's Encrypt needs seconds. */
const PATIENCE_MS = 180_000
/** Pauses between questions about an order that is in progress, in ms. */
const FIRST_PAUSE_MS = 250
const LAST_PAUSE_MS = 10_000
/** Certificates of a chain. */
const MAX_CHAIN = 10
/** The profile for addresses at Let's Encrypt, which issues them for six days only. */
const SHORT_LIVED = 'shortlived'

/** The outside door, where the authority connects. */
export interface ProvingDoor {
  /** Answers TLS-ALPN-01 with this certificate; undefined: no longer. */
  proveByTls(pair: Pair | undefined): void
  /** Answers HTTP-01; undefined: no longer. */
  proveByHttp(answer: { token: string; content: string } | undefined): void
}

export interface AcmeOrder {
  /** The URL of the authority's directory. */
  directory: string
  /** A DNS name, or an IP address in its canonical form (RFC 8738 §3). */
  subject: string
  /** The email address for the authority, or null. */
  email: string | null
  /**
   * Whether a person agreed to the authority's terms of service. Without it no account is created.
   */
  agreesToTerms: boolean
  /** The challenge: TLS-ALPN-01 needs port 443, HTTP-01 port 80. */
  by: 'tls' | 'http'
  accountKey: KeyObject
  door: ProvingDoor
  now: Date
  signal: AbortSignal
}

export interface Issued extends Pair {
  /** Whether the authority connected to the door. False if it relied on an earlier validation. */
  isProof: boolean
}

/** Orders a certificate (RFC 8555 §7). Throws `AcmeError`, or the reason of the signal. */
export async function orderCertificate(order: AcmeOrder): Promise<Issued> {
  const slow = AbortSignal.timeout(PATIENCE_MS)
  const signal = AbortSignal.any([order.signal, slow])
  const transport = new AcmeTransport(order.directory, signal)

  try {
    return await new OrderInProgress(
      { ...order, signal },
      new AcmeAccount(transport, order.accountKey),
    ).run()
  } catch (error) {
    order.signal.throwIfAborted()
    if (slow.aborted)
      throw new AcmeError(
        'slow',
        `The authority did not finish within ${PATIENCE_MS / 60_000} minutes`,
      )
    throw error
  } finally {
    transport.close()
  }
}

class OrderInProgress {
  constructor(
    private readonly order: AcmeOrder,
    private readonly account: AcmeAccount,
  ) {}

  async run(): Promise<Issued> {
    const { directory, subject, email, agreesToTerms, now } = this.order
    const directoryObject = await this.account.open(directory, email, agreesToTerms, now)

    const identifiers = [{ type: isIP(subject) === 0 ? 'dns' : 'ip', value: subject }]
    const payload = { identifiers, ...profileFor(subject, directoryObject) }
    const { body, location } = await this.account.post(
      directoryObject.newOrder,
      payload,
      orderSchema,
    )

    let isProof = false
    for (const url of body.authorizations) isProof = (await this.#prove(url)) || isProof

    const { key, request } = certificateRequest(subject)
    await this.account.post(body.finalize, { csr: request.toString('base64url') }, orderSchema)
    const done = await this.#settled(location, orderSchema, ({ status }) =>
      /^(in)?valid$/.test(status),
    )
    if (done.status !== 'valid') throw toAcmeError(done.error ?? { type: '', detail: '' })

    const { text } = await this.account.postForText(done.certificate ?? '')
    return { certificate: parseChain(text, subject, key), key, isProof }
  }

  /** Returns whether the authority had to connect. */
  async #prove(url: string): Promise<boolean> {
    const { by, subject } = this.order
    const { body } = await this.account.post(url, undefined, authorizationSchema)
    if (body.status === 'valid') return false

    const type = by === 'tls' ? 'tls-alpn-01' : 'http-01'
    const challenge = body.challenges.find((it) => it.type === type)
    if (challenge?.token === undefined) {
      throw new AcmeError('notOffered', `The authority does not offer ${type} for ${subject}`)
    }

    this.#show(challenge.token)
    try {
      await this.account.postForText(challenge.url, {})
      const done = await this.#settled(
        url,
        authorizationSchema,
        ({ status }) => status !== 'pending',
      )

      if (done.status === 'valid') return true
      const error = done.challenges.find((it) => it.error !== undefined)?.error
      throw toAcmeError(error ?? { type: '', detail: '' })
    } finally {
      this.order.door.proveByTls(undefined)
      this.order.door.proveByHttp(undefined)
    }
  }

  #show(token: string): void {
    const { by, door, subject, now } = this.order
    const content = this.account.keyAuthorization(token)
    if (by === 'http') door.proveByHttp({ token, content })
    else door.proveByTls(challengeCertificate(subject, content, now))
  }

  async #settled<T>(
    url: string,
    schema: z.ZodType<T>,
    isSettled: (body: T) => boolean,
  ): Promise<T> {
    for (let waitMs = FIRST_PAUSE_MS; ; waitMs = Math.min(waitMs * 2, LAST_PAUSE_MS)) {
      const { body, retryAfterMs } = await this.account.post(url, undefined, schema)
      if (isSettled(body)) return body

      await pause(Math.min(Math.max(waitMs, retryAfterMs), LAST_PAUSE_MS), undefined, {
        signal: this.order.signal,
      })
    }
  }
}

const profileFor = (subject: string, { meta }: Directory) =>
  isIP(subject) !== 0 && meta?.profiles?.[SHORT_LIVED] !== undefined ? { profile: SHORT_LIVED } : {}

/** The chain in a text, after checking that its first certificate is for this subject and key. */
function parseChain(text: string, subject: string, key: string): string {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\w+/=\s]+-----END CERTIFICATE-----/g) ?? []

  const wrong = new AcmeError(
    'malformedReply',
    'The authority sent a certificate that does not fit the order',
  )
  if (blocks.length === 0 || blocks.length > MAX_CHAIN) throw wrong

  try {
    const chain = blocks.map((block) => new X509Certificate(block))
    const isCovered =
      isIP(subject) === 0 ? chain[0]?.checkHost(subject) : chain[0]?.checkIP(subject)
    if (isCovered === undefined || chain[0]?.checkPrivateKey(createPrivateKey(key)) !== true)
      throw wrong
    return chain.map(String).join('')
  } catch {
    throw wrong
  }
}

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
