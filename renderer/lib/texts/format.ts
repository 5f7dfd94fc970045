import { formatSize, LOCALE } from '../../../server/texts/format'

export {
  cutText,
  formatAge,
  formatCount,
  formatDate,
  formatFiles,
  formatQuantity,
  formatShortQuantity,
  formatSize,
  formatWhole,
  joinWords,
  limitWords,
  listTransfers,
  wholeOf,
} from '../../../server/texts/format'

const exactTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'short' })

export const formatSpeed = (bytesPerSecond: number): string =>
  `${formatSize(Math.round(bytesPerSecond))}/s`

/** '7:30 AM' today, otherwise 'November 20 at 7:30 AM', in the reader's time zone. */
export function formatClock(iso: string, now = new Date()): string {
  const date = new Date(iso)
  return (date.toDateString() === now.toDateString() ? clockTime : dayTime).format(date)
}

const clockTime = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'short' })
const dayTime = new Intl.DateTimeFormat(LOCALE, {
  month: 'long',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
})

/** 'Friday, November 20, 2026 at 7:30 AM' in the reader's time zone. */
export const formatExactTime = (iso: string): string => exactTime.format(new Date(iso))
