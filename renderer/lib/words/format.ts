import { GB, KB, MB } from '../../../server/contract'
import { LOCALE, messages } from './messages'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const wholeNumber = new Intl.NumberFormat(LOCALE)
const fullDate = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'long' })
const exactTime = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'full', timeStyle: 'short' })

/** '512 Bytes', '6.10 MB': binary units with two decimals, whole bytes below 1 KB. */
export function formatSize(bytes: number): string {
  const { unit, name } = sizeUnit(bytes)
  return unit === 1 ? `${bytes} ${name}` : `${(bytes / unit).toFixed(2)} ${name}`
}

export const wholeOf = (files: readonly { size: number }[]): string =>
  `${formatWhole(files.length)} files · ${formatSize(files.reduce((sum, { size }) => sum + size, 0))}`

/** A size that would round up to 1024 uses the next unit. */
function sizeUnit(bytes: number) {
  const reaches = (unit: number) => bytes >= unit - unit / KB / 200
  if (reaches(GB)) return { unit: GB, name: 'GB' }
  if (reaches(MB)) return { unit: MB, name: 'MB' }
  if (bytes >= KB) return { unit: KB, name: 'KB' }
  return { unit: 1, name: 'Bytes' }
}

export const formatSpeed = (bytesPerSecond: number): string => `${formatSize(Math.round(bytesPerSecond))}/s`

/** '999', '1.2k', '3.4M': short, where only the magnitude matters. */
export function formatCount(count: number): string {
  if (count < 1000) return String(count)
  if (count < 999_950) return `${(count / 1000).toFixed(1)}k`
  return `${(count / 1_000_000).toFixed(1)}M`
}

/** '12,345': every digit. */
export const formatWhole = (count: number): string => wholeNumber.format(count)

/** 'Just now', then minutes, hours (under 24) and days (under 7) ago, then the full date. */
export function formatAge(iso: string, now: Date = new Date(), justNow = messages.time.justNow): string {
  const age = now.getTime() - new Date(iso).getTime()
  if (age < MINUTE) return justNow
  if (age < HOUR) return messages.time.minutesAgo(Math.floor(age / MINUTE))
  if (age < DAY) return messages.time.hoursAgo(Math.floor(age / HOUR))
  if (age < 7 * DAY) return messages.time.daysAgo(Math.floor(age / DAY))
  return formatDate(iso)
}

/** 'November 20, 2026' in the reader's time zone. */
export const formatDate = (iso: string): string => fullDate.format(new Date(iso))

/** 'Friday, November 20, 2026 at 7:30 AM' in the reader's time zone. */
export const formatExactTime = (iso: string): string => exactTime.format(new Date(iso))
