import { createPublicKey, sign, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import { DAY_MS } from '../../core/clock'
import { parseJson } from '../../core/json'
import { sha256Of } from '../../core/sha256'
import { AcmeError } from './acme-error'
import { directorySchema, problemSchema, type AcmeProblem, type Directory } from './acme-replies'
import { AcmeTransport, type Reply } from './acme-transport'

/** Authorities may refuse any nonce at any time (RFC 8555 §6.5); each refusal brings another. */
const MAX_NONCES = 10
/**
 * A wrong clock makes us renew at the wrong time; time zones and empty batteries err by more than
 * this, in ms.
 */
const MAX_SKEW_MS = DAY_MS / 2

export interface AcmeReply<T> {
  body: T
  /** The URL of the new account or order. */
  location: string
  retryAfterMs: number
}

/** Speaks to an authority as one account: signs each request with its key (RFC 8555 §6.2). */
export class AcmeAccount {
  readonly #jwk: Record<string, unknown>
  #directory: Directory | undefined
  #nonce: string | undefined
  #url: string | undefined

  constructor(
    private readonly transport: AcmeTransport,
    private readonly key: KeyObject,
  ) {
    const { crv, kty, x, y } = createPublicKey(key).export({ format: 'jwk' })
    // Key order of RFC 7638, whose thumbprint hashes this text.
    this.#jwk = { crv, kty, x, y }
  }

  /**
   * Reads the directory and finds or creates the account. The terms of service are agreed to only
   * on request.
   */
  async open(
    directory: string,
    email: string | null,
    agreesToTerms: boolean,
    now: Date,
  ): Promise<Directory> {
    const reply = requireAccepted(await this.transport.send('GET', directory))
    checkClock(now, reply)
    const directoryObject = parseReply(directorySchema, reply)

    if (directoryObject.meta?.externalAccountRequired === true) {
      throw new AcmeError(
        'notOffered',
        'This authority issues to customers only (external account binding)',
      )
    }

    this.#directory = directoryObject

    const terms = agreesToTerms ? { termsOfServiceAgreed: true } : {}
    const contact = email === null ? {} : { contact: [`mailto:${email}`] }
    this.#url = (
      await this.post(directoryObject.newAccount, { ...terms, ...contact }, z.object({}))
    ).location

    return directoryObject
  }

  /** The key authorization that proves a challenge (RFC 8555 §8.1). */
  keyAuthorization(token: string): string {
    return `${token}.${sha256Of(JSON.stringify(this.#jwk), 'base64url')}`
  }

  /** Without a payload: reads a resource (POST-as-GET, RFC 8555 §6.3). */
  async post<T>(
    url: string,
    payload: object | undefined,
    schema: z.ZodType<T>,
  ): Promise<AcmeReply<T>> {
    const reply = await this.postForText(url, payload)
    const location = reply.headers.location ?? ''
    return { body: parseReply(schema, reply), location, retryAfterMs: retryAfterMs(reply) }
  }

  async postForText(url: string, payload?: object): Promise<Reply> {
    for (let attempt = 1; ; attempt++) {
      const reply = await this.transport.send('POST', url, await this.#signed(url, payload))
      this.#nonce = nonceOf(reply)
      try {
        return requireAccepted(reply)
      } catch (error) {
        const isStale = error instanceof AcmeError && error.type === 'badNonce'
        if (!isStale || attempt === MAX_NONCES) throw error
      }
    }
  }

  async #signed(url: string, payload: object | undefined): Promise<string> {
    const nonce =
      this.#nonce ?? nonceOf(await this.transport.send('HEAD', this.#directory?.newNonce ?? ''))
    this.#nonce = undefined
    if (nonce === undefined) throw new AcmeError('malformedReply', 'The authority sent no nonce')
    const who = this.#url === undefined ? { jwk: this.#jwk } : { kid: this.#url }
    return signJws({ alg: 'ES256', nonce, url, ...who }, payload, this.key)
  }
}

/** A flattened JSON Web Signature with ECDSA P-256 (RFC 7515 §7.2.2, RFC 7518 §3.4). */
export function signJws(header: object, payload: object | undefined, key: KeyObject): string {
  const head = Buffer.from(JSON.stringify(header)).toString('base64url')
  const body =
    payload === undefined ? '' : Buffer.from(JSON.stringify(payload)).toString('base64url')

  const signature = sign('sha256', Buffer.from(`${head}.${body}`), {
    key,
    dsaEncoding: 'ieee-p1363',
  })

  return JSON.stringify({
    protected: head,
    payload: body,
    signature: signature.toString('base64url'),
  })
}

/** The error of a problem document (RFC 8555 §6.7). */
export function toAcmeError(
  { type, detail, subproblems = [] }: AcmeProblem,
  waitMs = 0,
): AcmeError {
  const more = subproblems.map((it) => it.detail).filter((it) => it !== '' && !detail.includes(it))
  const message = [detail, ...more].join(' ').trim().slice(0, 500)
  const name = type.split(':').at(-1) || 'unknown'
  return new AcmeError(name, message || `The authority refused (${name})`, waitMs)
}

function requireAccepted(reply: Reply): Reply {
  if (reply.status >= 200 && reply.status < 300) return reply
  const problem = problemSchema.safeParse(parseJson(reply.text))
  if (problem.success && problem.data.type !== '')
    throw toAcmeError(problem.data, retryAfterMs(reply))
  throw new AcmeError(
    'malformedReply',
    `The authority answered with status ${reply.status}`,
    retryAfterMs(reply),
  )
}

function parseReply<T>(schema: z.ZodType<T>, { text }: Reply): T {
  const result = schema.safeParse(parseJson(text))
  if (result.success) return result.data
  const path = result.error.issues[0]?.path.join('.') ?? ''
  throw new AcmeError(
    'malformedReply',
    `The authority sent a reply that is not ACME (${path || 'no object'})`,
  )
}

function checkClock(now: Date, { headers: { date = '' } }: Reply): void {
  const skewMs = now.getTime() - Date.parse(date)
  if (!(Math.abs(skewMs) > MAX_SKEW_MS)) return
  const days = Math.max(1, Math.round(Math.abs(skewMs) / DAY_MS))
  const amount = `${days} ${days === 1 ? 'day' : 'days'} ${skewMs > 0 ? 'ahead' : 'behind'}`
  throw new AcmeError(
    'clock',
    `The clock of this computer is ${amount}. Set the date, then try again`,
  )
}

/** `Retry-After` as seconds or a date (RFC 9110 §10.2.3). */
function retryAfterMs({ headers: { 'retry-after': retryAfter = '', date = '' } }: Reply): number {
  const ms = /^\d{1,9}$/.test(retryAfter)
    ? Number(retryAfter) * 1000
    : Date.parse(retryAfter) - Date.parse(date)
  return ms > 0 ? ms : 0
}

const nonceOf = ({ headers: { 'replay-nonce': nonce } }: Reply) =>
  typeof nonce === 'string' && /^[\w-]{1,512}$/.test(nonce) ? nonce : undefined
