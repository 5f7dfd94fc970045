import { DAY_MS, HOUR_MS } from '../../../server/contract/limits'
import { formatAge, formatDate, formatQuantity } from '../../lib/texts/format'

/** 'In 3 days', '2 hours ago', then the date. */
export function expiryText(expiresAt: string, now: Date): string {
  const remaining = new Date(expiresAt).getTime() - now.getTime()
  if (remaining <= 0) return formatAge(expiresAt, now)
  if (remaining < HOUR_MS) return 'Within the hour'
  if (remaining < DAY_MS) return `In ${formatQuantity(Math.floor(remaining / HOUR_MS), 'hour')}`
  const days = Math.round(remaining / DAY_MS)
  return days <= 90 ? `In ${formatQuantity(days, 'day')}` : formatDate(expiresAt)
}
