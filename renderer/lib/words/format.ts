import { formatSize, LOCALE } from '../../../server/contract/visitor/format'

export {
  formatAge,
  formatCount,
  formatDate,
  formatSize,
  formatWhole,
  wholeOf,
} from '../../../server/contract/visitor/format'

const exactTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'short' })

export const formatSpeed = (bytesPerSecond: number): string => `${formatSize(Math.round(bytesPerSecond))}/s`

/** 'Friday, November 20, 2026 at 7:30 AM' in the reader's time zone. */
export const formatExactTime = (iso: string): string => exactTime.format(new Date(iso))
