import type { ProjectDay, StatisticsShare } from '../../../../server/contract'
import { nameShare } from './share-texts'

/**
 * The counts of days as a table (RFC 4180): one row for each day and count above zero. `shares` may
 * reach further back; their last days are those of `days`.
 */
export function toCsv(days: readonly ProjectDay[], shares: readonly StatisticsShare[]): Blob {
  const rows = days.flatMap(({ date, downloads, views }, index) => [
    [date, 'downloads', '', '', downloads],
    [date, 'views', '', '', views],
    ...shares.map((share) => {
      const count = share.days.at(index - days.length) ?? 0
      return [
        date,
        share.by === 'referrer' ? 'views' : 'downloads',
        share.by,
        nameShare(share),
        count,
      ]
    }),
  ])

  const counted = rows.filter(([, , , , count]) => count !== 0)
  const lines = [['date', 'count_of', 'by', 'value', 'count'], ...counted].map((row) =>
    row.map(toField).join(','),
  )

  return new Blob([lines.join('\r\n'), '\r\n'], { type: 'text/csv' })
}

/** A text that a spreadsheet would run as a formula gets an apostrophe before it. */
function toField(value: string | number): string {
  const text = String(value).replace(/^[=+\-@＝＋－＠\t\r]/, "'$&")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
