import type { Moment } from '../../../core/clock'
import type { Mapping } from '../../../libraries/port-mapping/router'

/**
 * The lease to request, in s: after a crash, or a new address of this computer, the port stays
 * unavailable this long.
 */
export const LIFETIME_S = 900
/**
 * Limits of the delay before a renewal, in ms: the lease that a router grants may differ from the
 * one it keeps.
 */
const RENEW_AT_LEAST_MS = 10_000
const RENEW_AT_MOST_MS = (LIFETIME_S * 1000) / 2
/** The limit for UPnP, whose routers do not announce a reboot. */
const RENEW_UPNP_MS = 300_000

/** The age that a router reports, in seconds since it lost its mappings (RFC 6887 §8.5). */
export interface Epoch extends Moment {
  epoch: number
}

/** Whether the router reports its age. UPnP does not. */
export const isKnown = (age: Moment & { epoch: number | null }): age is Epoch => age.epoch !== null

/** Returns how long to wait before renewing a mapping, in ms. */
export function renewAfterMs(mapping: Mapping): number {
  const most = mapping.protocol === 'upnp' ? RENEW_UPNP_MS : RENEW_AT_MOST_MS
  return Math.min(most, Math.max(RENEW_AT_LEAST_MS, lifetimeMs(mapping) / 2))
}

/** Returns when a lease that was granted then ends, as ISO time. Null if never. */
export function computeLeaseEnd(mapping: Mapping, { wall }: Moment): string | null {
  return mapping.permanent ? null : new Date(wall + lifetimeMs(mapping)).toISOString()
}

/**
 * Returns the lifetime that a router reports, in ms, or the least that RFC 6887 §15 recommends if
 * it is not sensible.
 */
export function lifetimeMs({ lifetimeS, permanent }: Mapping): number {
  if (permanent) return Infinity
  return Number.isFinite(lifetimeS) && lifetimeS > 0
    ? Math.min(lifetimeS, 30 * 86_400) * 1000
    : 120_000
}

/**
 * Whether a router lost its mappings between two epochs (RFC 6887 §8.5): its clock and ours differ
 * by more than 2 s and a sixteenth.
 */
export function hasRebooted(before: Epoch, now: Epoch): boolean {
  const ours = (now.elapsed - before.elapsed) / 1000
  const theirs = now.epoch - before.epoch
  return ours + 2 < theirs - theirs / 16 || isYounger(before, now)
}

/** Like `hasRebooted`, but certain: a computer that slept counts less time than its router. */
export function isYounger(before: Epoch, now: Epoch): boolean {
  // The RFC allows for 1 s of reordering. An unnecessary renewal costs less than a closed port.
  if (now.epoch < before.epoch) return true
  const ours = (now.elapsed - before.elapsed) / 1000
  return now.epoch - before.epoch + 2 < ours - ours / 16
}
