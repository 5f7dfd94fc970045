import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import http from 'node:http'
import { api } from '../contract'
import { parseJson } from '../core/json'
import { awaitResponse } from '../core/net/await-response'
import { ownLookup } from './own-lookup'

/** Timeout of a request to ourselves, in ms. */
const PATIENCE_MS = 3000
/** The maximum length of a reply, in characters. */
const MAX_LENGTH = 10_000

/**
 * The result of a request to one of our addresses. `other_program`: another server answers there.
 */
export type Answer = 'ok' | 'unanswered' | 'other_program'

/**
 * Distinguishes this running host from every other program, including another Slipway, by a secret
 * of this run.
 */
export class Proof {
  readonly #key = randomBytes(32)
  readonly #closing = new AbortController()

  of(nonce: string): string {
    return createHmac('sha256', this.#key).update(nonce).digest('base64url')
  }

  async ask(origin: string): Promise<Answer> {
    const nonce = randomBytes(16).toString('base64url')
    const url = new URL(`${origin}${api.host.ping.path}?nonce=${nonce}`)
    const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(PATIENCE_MS)])
    const text = await fetchBody(url, signal).catch(() => undefined)
    if (text === undefined) return 'unanswered'
    const body: unknown = parseJson(text)
    return equal(api.host.ping.reply.safeParse(body).data?.proof ?? '', this.of(nonce))
      ? 'ok'
      : 'other_program'
  }

  /** Cancels running tests as `unanswered`, so that quitting does not wait for them. */
  close(): void {
    this.#closing.abort()
  }
}

/**
 * Skips certificate checks: this computer need not trust its own authority, and the proof is
 * stronger.
 */
async function fetchBody(url: URL, signal: AbortSignal): Promise<string> {
  const options = { agent: false as const, signal, lookup: ownLookup }
  const { get } = url.protocol === 'https:' ? await import('node:https') : http
  const request = get(url, { ...options, rejectUnauthorized: false })
  const response = await awaitResponse(request, signal)
  let body = ''
  for await (const part of response.setEncoding('utf8')) {
    body += String(part)
    if (body.length > MAX_LENGTH) break
  }
  return body
}

function equal(actual: string, expected: string): boolean {
  return (
    actual.length === expected.length && timingSafeEqual(Buffer.from(actual), Buffer.from(expected))
  )
}
