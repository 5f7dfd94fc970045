import type { Context } from 'koa'
import type { Clock } from '../../core/clock'
import type { Library } from '../../data/library/library'
import { HeavyReplies, type HeavyLimits } from './heavy-replies'
import { SharedReplies } from './shared-replies'
import { DocumentDates } from './document-dates'
import { usualPatience, type Patience } from '../listen/patience'

/** Options that all endpoints share. */
export interface Serving {
  patience: Pick<Patience, 'bodyMs' | 'unreadMs'>
  /** Whether replies are checked against the contract. */
  checkReplies: boolean
  /** Undefined: no limit. */
  heavyReplies: HeavyReplies | undefined
  sharedReplies: SharedReplies
  /**
   * Undefined where another process may have sent other content: then documents have no dates.
   */
  documentDates: DocumentDates | undefined
}

export interface ServingChoices {
  /** False disables all rate limits, for load tests. */
  rateLimits?: boolean
  heavyReplies?: HeavyLimits
  patience?: Partial<Patience>
  /** Checks replies against the contract, as in tests and `npm run dev`. */
  checkReplies?: boolean
  /** Whether documents have dates; see `Serving`. */
  datesDocuments?: boolean
}

/** Fills in the defaults. */
export const servingFrom = (
  {
    patience,
    checkReplies = false,
    heavyReplies,
    rateLimits,
    datesDocuments = true,
  }: ServingChoices,
  clock: Pick<Clock, 'elapsed' | 'now'>,
  library: Pick<Library, 'revision'>,
): Serving => ({
  patience: { ...usualPatience, ...patience },
  checkReplies,
  heavyReplies: rateLimits === false ? undefined : new HeavyReplies(heavyReplies),
  sharedReplies: new SharedReplies(clock, library),
  documentDates: datesDocuments ? new DocumentDates(clock) : undefined,
})

/** Returns the shared options, which `assemble` sets for all requests. */
export const servingOf = (ctx: Context): Serving => ctx['serving'] as Serving
