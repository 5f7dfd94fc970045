import { cutText } from '../../texts/format'
import { withoutUnseen } from '../../contract'
import { errorCode } from '../../core/durable-file'
import { askOutside, NotReachable, type MayReach } from '../../network/outgoing'
import type { WebhookRequest } from './requests'

/**
 * The whole response must arrive within this time, in ms. Only its first bytes are read, and only
 * its first characters stored.
 */
const PATIENCE_MS = 10_000
const REPLY_BYTES = 64 * 1024
const KEPT_CHARACTERS = 1000
/** The longest delay that a receiver can request, in ms. */
const LONGEST_PAUSE_MS = 3_600_000

/** The result of an attempt. Without an error the receiver accepted the message. */
export interface Outcome {
  status: number | null
  error: string | null
  reply: string
  /** The delay that the receiver requests, in ms. */
  retryAfterMs?: number | undefined
}

interface Rules {
  mayReach: MayReach
  signal: AbortSignal
  now: Date
}

/**
 * Sends a request once. Never throws. Errors name only the host of the address, because the rest
 * may contain a secret.
 */
export async function attempt(
  request: WebhookRequest,
  { mayReach, signal, now }: Rules,
): Promise<Outcome> {
  const { url, ...rest } = request
  try {
    const limits = { patienceMs: PATIENCE_MS, maxBytes: REPLY_BYTES, signal, mayReach }
    const { status, headers, text } = await askOutside(url, { ...rest, ...limits })
    const reply = cutText(withoutUnseen(text).toWellFormed(), KEPT_CHARACTERS)
    const retryAfterMs = readPause(headers['retry-after'], now)

    return { status, error: problemWith(status), reply, retryAfterMs }
  } catch (cause) {
    return { status: null, error: describe(cause, url), reply: '' }
  }
}

function problemWith(status: number): string | null {
  if (status >= 200 && status < 300) return null
  if (status >= 300 && status < 400)
    return `It redirects elsewhere (${status}). Enter the final address: webhooks follow none`
  return `It refused the message (${status})`
}

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing answers there',
  ECONNRESET: 'It closed the connection',
  ENOTFOUND: 'Its name is not known',
  EAI_AGAIN: 'Its name could not be looked up',
  EHOSTUNREACH: 'It cannot be reached',
  ENETUNREACH: 'It cannot be reached',
  ABORT_ERR: 'It did not answer within 10 seconds',
  CERT_HAS_EXPIRED: 'Its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Its certificate is not from a known authority',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another name',
  ERR_INVALID_CHAR: 'The token has characters that no request can carry',
}

function describe(cause: unknown, { host }: URL): string {
  if (cause instanceof NotReachable) {
    return (
      `${host} is on a private network. ` +
      'The host account can allow it under Settings, Webhooks on your network.'
    )
  }
  const code = errorCode(cause) ?? ''
  return `${host}: ${words[code] ?? `the connection failed${code === '' ? '' : ` (${code})`}`}`
}

/** Parses Retry-After, in seconds or as a date (RFC 9110 §10.2.3). */
export function readPause(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now.getTime()
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), LONGEST_PAUSE_MS)
}
