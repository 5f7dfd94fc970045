import { backoffMs, type BackoffTimes } from '../../core/backoff'
import type { DeliveryRecord, WebhookRecord } from '../../data/records/webhook-records'
import type { Outcome } from './attempt'

const TIMES: BackoffTimes = { firstMs: 15_000, longestMs: 2 * 3_600_000 }
/**
 * The most attempts for a message, and the consecutive failures after which a webhook is turned
 * off. The delays between them add up to a little more than a day. Counts instead of dates, so that
 * a clock change neither gives up early nor waits too long.
 */
export const MOST_TRIES = 21

/** Returns the delay after a number of failures, in ms. */
export const pauseMs = (
  failures: number,
  { retryAfterMs }: Pick<Outcome, 'retryAfterMs'> = {},
): number =>
  retryAfterMs === undefined ? backoffMs(failures, TIMES) : Math.max(retryAfterMs, TIMES.firstMs)

/**
 * Whether a time has been reached. `now`: ms since 1970. A time further away than the longest delay
 * was set before the clock was set back, and counts as reached.
 */
export function isDue(time: string, now: number, longestMs = TIMES.longestMs): boolean {
  const at = Date.parse(time)
  return at <= now || at > now + longestMs
}

/** Applies the result of an automatic attempt to the message and its webhook. */
export function judge(
  { webhook, delivery }: { webhook: WebhookRecord; delivery: DeliveryRecord },
  outcome: Outcome,
  now: Date,
): { webhook: WebhookRecord; delivery: DeliveryRecord } {
  const tries = delivery.tries + 1

  if (outcome.error === null) {
    return {
      webhook: { ...webhook, failures: 0, restsUntil: null },
      delivery: { ...delivery, tries, state: 'delivered' },
    }
  }

  const failures = webhook.failures + 1
  const offReason =
    outcome.status === 410 ? 'gone' : failures >= MOST_TRIES ? 'failures' : undefined

  const after = (count: number) => new Date(now.getTime() + pauseMs(count, outcome)).toISOString()
  const state = offReason || tries >= MOST_TRIES ? 'failed' : 'waiting'

  return {
    webhook: {
      ...webhook,
      failures,
      restsUntil: after(failures),
      ...(offReason && { isOn: false, offReason, offAt: now.toISOString() }),
    },
    delivery: { ...delivery, tries, state, nextTryAt: after(tries) },
  }
}
