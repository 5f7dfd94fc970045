import { createPublicKey, randomBytes, verify, type JsonWebKey, type KeyObject } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import * as csr from '@peculiar/asn1-csr'
import { AsnConvert } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'
import {
  extension,
  issue,
  makeAuthority,
  createName,
  signCertificate,
  type Pair,
} from '../../../server/libraries/certificates/certificate'
import { DAY } from '../world/test-clock'

/** What the authority received in one request. */
interface Received {
  path: string
  header: Record<string, unknown>
  payload: Record<string, unknown> | undefined
}
type Answer = (request: IncomingMessage, response: ServerResponse) => void

/** Makes HTTPS clients of this process trust a certificate; returns how to end that. */
export function trust(certificate: string): () => void {
  const before = getCACertificates('default')
  setDefaultCACertificates([...before, certificate])
  return () => setDefaultCACertificates(before)
}

/** A certificate for a server at this address, and the authority that signed it. */
export function pairFor(address: string): { authority: Pair; pair: Pair } {
  const names = { names: ['localhost'], addresses: [address] }
  const authority = makeAuthority(names, new Date())
  return { authority, pair: issue(authority, names, new Date()) }
}

/**
 * A real server for ACME that checks each signature and nonce, and whose replies a test replaces
 * one by one.
 */
export class SmallAuthority {
  readonly received: Received[] = []
  /** Answers of the test by path, such as `/order`, instead of the usual ones. */
  readonly answers: Record<string, Answer> = {}
  /** Further members of the directory. */
  meta: object = { profiles: { shortlived: 'six days' } }
  /** The time in its replies and certificates. */
  now = () => new Date()
  /** Of the certificates to come, in ms. */
  lifetime = 90 * DAY
  /** Certifies this name instead of the wanted one. */
  otherName: string | undefined
  /** Whether an authorization is valid from the start. */
  isKnown = false
  #url = ''
  #accountKey: KeyObject | undefined
  #isProved = false
  #chain = ''
  readonly #nonces = new Set<string>()
  readonly #own = pairFor('127.0.0.1')
  readonly #server = createServer({ cert: this.#own.pair.certificate, key: this.#own.pair.key })
  readonly #distrust = trust(this.#own.authority.certificate)

  get directory(): string {
    return `${this.#url}/directory`
  }

  /** The paths of all requests so far. */
  get asked(): string[] {
    return this.received.map(({ path }) => path)
  }

  async open(): Promise<this> {
    this.#server.on('request', (request, response) => void this.#serve(request, response))
    await once(this.#server.listen(0, '127.0.0.1'), 'listening')
    this.#url = `https://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this
  }

  close(): void {
    this.#distrust()
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    let body = ''
    for await (const part of request.setEncoding('utf8')) body += String(part)
    response.setHeader('Date', this.now().toUTCString())
    response.setHeader('Replay-Nonce', this.#newNonce())
    const problem = request.method === 'POST' ? this.#open(path, body) : undefined
    if (request.method !== 'POST') this.received.push({ path, header: {}, payload: undefined })
    if (this.answers[path]) this.answers[path](request, response)
    else if (problem !== undefined) refuse(response, problem, 'The test sees a mistake')
    else this.#answer(path, response)
  }

  /** Checks a signed request (RFC 8555 §6.2); returns the type of its error. */
  #open(path: string, body: string): string | undefined {
    const jws = JSON.parse(body) as { protected: string; payload: string; signature: string }
    const header = fromBase64(jws.protected) as {
      nonce: string
      url: string
      jwk?: JsonWebKey
      kid?: string
    }
    const payload =
      jws.payload === '' ? undefined : (fromBase64(jws.payload) as Record<string, unknown>)
    this.received.push({ path, header: { ...header }, payload })
    if (!this.#nonces.delete(header.nonce)) return 'badNonce'
    if (header.jwk) this.#accountKey = createPublicKey({ key: header.jwk, format: 'jwk' })
    const key = this.#accountKey
    if (!key || header.url !== this.#url + path) return 'malformed'
    if (!header.jwk && header.kid !== `${this.#url}/account/1`) return 'accountDoesNotExist'
    const signature = Buffer.from(jws.signature, 'base64url')
    const text = Buffer.from(`${jws.protected}.${jws.payload}`)
    return verify('sha256', text, { key, dsaEncoding: 'ieee-p1363' }, signature)
      ? undefined
      : 'malformed'
  }

  #answer(path: string, response: ServerResponse): void {
    const at = (place: string) => this.#url + place
    const { payload } = this.received.at(-1)!
    const status = this.#isProved || this.isKnown ? 'valid' : 'pending'
    const challenges = ['http-01', 'tls-alpn-01'].map((type) => ({
      type,
      url: at('/challenge'),
      token: 'a-token_1',
    }))
    const order = {
      authorizations: [at('/authorization')],
      finalize: at('/finalize'),
      certificate: at('/chain'),
    }
    const urls = { newNonce: at('/nonce'), newAccount: at('/account'), newOrder: at('/order') }
    if (path === '/directory') return reply(response, { ...urls, meta: this.meta })
    if (path === '/account')
      return reply(response.setHeader('Location', at('/account/1')), { status: 'valid' })
    if (path === '/order' && payload) {
      this.#isProved = false
      return reply(response.setHeader('Location', at('/order')), { status: 'pending', ...order })
    }
    if (path === '/challenge') this.#isProved = true
    if (path === '/finalize') this.#chain = this.#certify(String(payload?.['csr']))
    if (path === '/authorization') return reply(response, { status, challenges })
    if (path === '/chain') return void response.end(this.#chain)
    reply(response, { status: 'valid', ...order })
  }

  #certify(request: string): string {
    const parsed = AsnConvert.parse(Buffer.from(request, 'base64url'), csr.CertificationRequest)
    const { subjectPKInfo, attributes } = parsed.certificationRequestInfo
    const [wanted] = attributes[0]?.values ?? []
    const { authority } = this.#own
    const now = this.now().getTime()
    const validity = new x509.Validity({
      notBefore: new Date(now),
      notAfter: new Date(now + this.lifetime),
    })
    const other = new x509.SubjectAlternativeName([
      new x509.GeneralName({ dNSName: this.otherName ?? '' }),
    ])
    const extensions = this.otherName
      ? [extension(x509.id_ce_subjectAltName, other)]
      : AsnConvert.parse(wanted!, x509.Extensions)
    const body = { issuer: createName('Small authority'), subject: new x509.Name(), validity }
    return signCertificate(
      { ...body, subjectPublicKeyInfo: subjectPKInfo },
      [...extensions],
      authority.key,
    )
  }

  #newNonce(): string {
    const nonce = randomBytes(9).toString('base64url')
    this.#nonces.add(nonce)
    return nonce
  }
}

export function reply(response: ServerResponse, body: object, status = 200): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

/** Answers with an error of ACME. */
export function refuse(
  response: ServerResponse,
  type: string,
  detail: string,
  headers: Record<string, string> = {},
) {
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  reply(response, { type: `urn:ietf:params:acme:error:${type}`, detail }, 400)
}

const fromBase64 = (text: string): unknown => JSON.parse(Buffer.from(text, 'base64url').toString())
