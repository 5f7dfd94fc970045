import type { AnchorHTMLAttributes } from 'react'
import { formatCount, formatSize, formatWhole } from '../../../server/texts/format'
import { DownloadIcon } from './icons'
import { Time } from './text'

interface FileCellsProps {
  file: { filename: string; size: number; downloads: number; is_damaged: boolean }
  /** UTC ISO 8601. */
  since: string
  now: Date
  link: AnchorHTMLAttributes<HTMLAnchorElement>
  /** What the link does. */
  action?: string
}

/** The cells of a file after its name: size, downloads, age and the link. */
export const FileCells = ({ file, since, now, link, action = 'Download' }: FileCellsProps) => (
  <>
    <td>{formatSize(file.size)}</td>
    <td title={formatWhole(file.downloads)}>{formatCount(file.downloads)}</td>
    <td>
      <Time value={since} now={now} />
    </td>
    <td>
      {file.is_damaged ? (
        <span className="badge">Damaged</span>
      ) : (
        <a
          className="button square"
          {...link}
          aria-label={`${action} ${file.filename}`}
          title={action}
        >
          <DownloadIcon size={18} />
        </a>
      )}
    </td>
  </>
)
