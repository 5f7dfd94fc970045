import type { Moment } from '../../../core/clock'
import type { Mapping } from '../../../libraries/port-mapping/router'

/**
 * What we ask for, in s: a crash, or a new address of this computer, keeps the port from us for so
 * long.
 */
export const LIFETIME_S = 900
/** Limits of the wait before a renewal, in ms: routers grant more, or less, than they keep. */
const RENEW_AT_LEAST_MS = 10_000
const RENEW_AT_MOST_MS = (LIFETIME_S * 1000) / 2
/** The same for UPnP, whose routers do not announce that they have rebooted. */
const RENEW_UPNP_MS = 300_000

/** What a router says about its age, in seconds since it lost its mappings (RFC 6887 §8.5). */
export interface Epoch extends Moment {
  epoch: number
}

/** Whether the router says its age: UPnP does not. */
export const isKnown = (age: Moment & { epoch: number | null }): age is Epoch => age.epoch !== null

/** How long to wait before a mapping is renewed, in ms. */
export function renewAfterMs(mapping: Mapping): number {
  const most = mapping.protocol === 'upnp' ? RENEW_UPNP_MS : RENEW_AT_MOST_MS
  return Math.min(most, Math.max(RENEW_AT_LEAST_MS, lifetimeMs(mapping) / 2))
}

/** When a lease ends that was granted then, as ISO time; null: never. */
export function computeLeaseEnd(mapping: Mapping, { wall }: Moment): string | null {
  return mapping.permanent ? null : new Date(wall + lifetimeMs(mapping)).toISOString()
}

/**
 * The lifetime that a router claims, in ms. Without a sensible one: the least that RFC 6887 §15
 * recommends.
 */
export function lifetimeMs({ lifetimeS, permanent }: Mapping): number {
  if (permanent) return Infinity
  return Number.isFinite(lifetimeS) && lifetimeS > 0
    ? Math.min(lifetimeS, 30 * 86_400) * 1000
    : 120_000
}

/**
 * Whether a router lost its mappings between two epochs, by the rule of RFC 6887 §8.5: its time and
 * ours differ by more than 2 s and a sixteenth.
 */
export function hasRebooted(before: Epoch, now: Epoch): boolean {
  const ours = (now.elapsed - before.elapsed) / 1000
  const theirs = now.epoch - before.epoch
  return ours + 2 < theirs - theirs / 16 || isYounger(before, now)
}

/** The same, but sure: a computer that slept counts less time than its router. */
export function isYounger(before: Epoch, now: Epoch): boolean {
  // The RFC allows for 1 s of reordering; one renewal too many costs less than a port that stays
  // closed.
  if (now.epoch < before.epoch) return true
  const ours = (now.elapsed - before.elapsed) / 1000
  return now.epoch - before.epoch + 2 < ours - ours / 16
}
