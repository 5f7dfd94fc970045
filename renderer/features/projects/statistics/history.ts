import type { ProjectDay } from '../../../../server/contract'
import { formatWhole } from '../../../lib/texts/format'
import { LOCALE } from '../../../../server/texts/format'

export const LONGEST_RANGE = 90
export const ranges = [30, LONGEST_RANGE] as const

export type Measure = 'downloads' | 'views'

/** The host counts UTC days: they are the same in every time zone. */
const shortDay = new Intl.DateTimeFormat(LOCALE, {
  month: 'short',
  day: 'numeric',
  timeZone: 'UTC',
})
const longDay = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long', timeZone: 'UTC' })

/** 'Nov 20'. */
export const formatShortDay = (date: string): string => shortDay.format(new Date(date))

export const formatLongDay = (date: string): string => longDay.format(new Date(date))

export const sumMeasure = (days: readonly ProjectDay[], measure: Measure): number =>
  days.reduce((sum, day) => sum + day[measure], 0)

/** '214 downloads in the last 30 days, most on November 12, 2026: 31.' */
export function describeHistory(days: readonly ProjectDay[], measure: Measure): string {
  const total = sumMeasure(days, measure)
  const sum =
    `${formatWhole(total)} ${total === 1 ? measure.slice(0, -1) : measure} in the last ` +
    `${days.length} days`
  const best = days.reduce<ProjectDay | undefined>(
    (top, day) => (top && top[measure] >= day[measure] ? top : day),
    undefined,
  )
  if (!best || total === 0) return `${sum}.`
  return `${sum}, most on ${formatLongDay(best.date)}: ${formatWhole(best[measure])}.`
}
