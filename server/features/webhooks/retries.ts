import { backoffMs, type BackoffTimes } from '../../core/backoff'
import type { DeliveryRecord, WebhookRecord } from '../../data/records/webhook-records'
import type { Outcome } from './attempt'

const TIMES: BackoffTimes = { firstMs: 15_000, longestMs: 2 * 3_600_000 }
/**
 * How often a message is tried, and how many tries of a webhook fail in a row until it is turned
 * off: the pauses between them last a little more than a day. Counts instead of dates, so that a
 * clock that jumps neither gives up nor waits.
 */
export const MOST_TRIES = 21

/** The pause after so many failures, in ms. */
export const pauseMs = (
  failures: number,
  { retryAfterMs }: Pick<Outcome, 'retryAfterMs'> = {},
): number =>
  retryAfterMs === undefined ? backoffMs(failures, TIMES) : Math.max(retryAfterMs, TIMES.firstMs)

/**
 * Whether a time has come, in ms since 1970. One further away than any pause was set by a clock
 * that has gone back.
 */
export const isDue = (at: number, now: number): boolean => at <= now || at > now + TIMES.longestMs

/** What a try by the host itself means for the message and for its webhook. */
export function judge(
  { webhook, delivery }: { webhook: WebhookRecord; delivery: DeliveryRecord },
  outcome: Outcome,
  now: Date,
): { webhook: WebhookRecord; delivery: DeliveryRecord } {
  const tries = delivery.tries + 1
  if (outcome.error === null) {
    return {
      webhook: { ...webhook, failures: 0, restsUntil: 0 },
      delivery: { ...delivery, tries, state: 'delivered' },
    }
  }
  const failures = webhook.failures + 1
  const offReason =
    outcome.status === 410 ? 'gone' : failures >= MOST_TRIES ? 'failures' : undefined
  const nextTryAt = now.getTime() + pauseMs(tries, outcome)
  const state = offReason || tries >= MOST_TRIES ? 'failed' : 'waiting'
  return {
    webhook: {
      ...webhook,
      failures,
      restsUntil: now.getTime() + pauseMs(failures, outcome),
      ...(offReason && { isOn: false, offReason, offAt: now.toISOString() }),
    },
    delivery: { ...delivery, tries, state, nextTryAt },
  }
}
