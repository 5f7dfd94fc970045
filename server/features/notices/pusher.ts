import { createHash } from 'node:crypto'
import { errorCode } from '../../core/durable-file'
import type { NoticeWay } from '../../data/records/notice-records'
import { askOutside, NotReachable, type MayReach } from '../../network/outgoing'
import { cutText } from '../../texts/format'
import { readPause } from '../webhooks/attempt'
import type { Outcome } from './mailer'
import { deriveVapid, encryptPush, vapidHeader, type Vapid } from './web-push'

/** How long a push service may take to answer, in ms, and how much of its reply is read. */
const PATIENCE_MS = 10_000
const REPLY_BYTES = 1024
/** How long it keeps a message for a browser that is off, in s: later it is no news. */
const KEPT_S = 72 * 3600
/** The length of each message, in bytes. Services take 4,096 with what encryption adds. */
const PADDED = 3000
/** A notification shows no more, in characters. */
const MOST_TITLE = 120
const MOST_TEXT = 250

/** What the service worker of a browser shows (renderer/public/push/worker.js). */
export interface PushMessage {
  /** Names the message: a browser shows one that comes twice once. */
  id: string
  /** Replaces what still waits for the browser about the same. */
  topic: string
  title: string
  text: string
  /** The paths that a click and the button open. */
  path: string
  end: string
}

interface Deps {
  sessionKeys: readonly string[]
  mayReach: MayReach
  /** Where others reach this host. */
  origin: () => string
  now: () => Date
}

/** Hands messages to the push services of browsers. */
export class Pusher {
  #vapid: Vapid | undefined

  constructor(private readonly deps: Deps) {}

  /** The key that browsers subscribe with, and that signs what they get. */
  get vapid(): Vapid {
    return (this.#vapid ??= deriveVapid(this.deps.sessionKeys))
  }

  /** Sends a message once. Never throws. */
  async send(way: NoticeWay & { kind: 'push' }, message: PushMessage): Promise<Outcome> {
    const { mayReach, origin, now } = this.deps
    const { id: tag, topic, title, text, path, end } = message
    const shown = { tag, title: cutText(title, MOST_TITLE), text: cutText(text, MOST_TEXT) }
    const endpoint = new URL(way.endpoint)

    try {
      const { status, headers } = await askOutside(endpoint, {
        method: 'POST',
        headers: {
          // Services ask for an address by https, or for one of mail, which this host may not have.
          Authorization: vapidHeader(this.vapid, {
            ...{ endpoint, now: now() },
            contact: origin().replace(/^http:/, 'https:'),
          }),
          'Content-Encoding': 'aes128gcm',
          'Content-Type': 'application/octet-stream',
          TTL: String(KEPT_S),
          Topic: createHash('sha256').update(topic).digest('base64url').slice(0, 32),
          Urgency: 'normal',
        },
        body: encryptPush(Buffer.from(JSON.stringify({ ...shown, path, end })), way, PADDED),
        ...{ patienceMs: PATIENCE_MS, maxBytes: REPLY_BYTES, mayReach },
      })
      return judge(status, readPause(headers['retry-after'], now()))
    } catch (cause) {
      if (cause instanceof NotReachable) return { result: 'refused', problem: 'a private network' }
      return { result: 'later', problem: errorCode(cause) ?? 'no connection', rests: false }
    }
  }
}

function judge(status: number, retryAfterMs: number | undefined): Outcome {
  if (status >= 200 && status < 300) return { result: 'sent' }
  if (status === 404 || status === 410) return { result: 'gone' }

  const problem = `status ${status}`
  if (status === 429 || status >= 500)
    return { result: 'later', problem, rests: false, retryAfterMs }
  return { result: 'refused', problem }
}
