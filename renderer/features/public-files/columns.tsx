import { ActionIcon } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { File } from '../../../server/contract'
import { formatCount, formatSize, formatWhole } from '../../lib/texts/format'
import { downloadUrl } from '../../paths'
import type { Column } from '../../ui/table/data-table'
import { DigestMark } from '../../ui/text/digest-mark'
import { FileName } from '../../ui/file/file-name'
import { MiddleEllipsis } from '../../ui/text/middle-ellipsis'
import { Time } from '../../ui/text/time'

export const columns: readonly Column<File>[] = [
  {
    header: 'File',
    onPhone: 'title',
    cell: ({ filename, icon_url }) => <FileName filename={filename} icon={icon_url} />,
  },
  { header: 'Owner', width: 160, cell: ({ owner }) => <MiddleEllipsis text={owner} /> },
  { header: 'Size', width: 110, align: 'right', cell: ({ size }) => formatSize(size) },
  {
    header: 'Downloads',
    width: 110,
    align: 'right',
    onPhone: 'none',
    cell: ({ downloads }) => <span title={formatWhole(downloads)}>{formatCount(downloads)}</span>,
  },
  {
    header: 'SHA-256',
    width: 96,
    onPhone: 'none',
    cell: ({ sha256, filename }) => <DigestMark sha256={sha256} filename={filename} />,
  },
  { header: 'Uploaded', width: 160, cell: ({ uploaded_at }) => <Time value={uploaded_at} /> },
  { header: 'Download', width: 64, align: 'right', hideHeader: true, onPhone: 'action', cell: Download },
]

function Download({ filename, owner, file_id }: File) {
  return (
    <ActionIcon
      component="a"
      href={downloadUrl.publicFile(owner, file_id)}
      download={filename}
      variant="light"
      title="Download"
      size={36}
      aria-label={`Download ${filename}`}
    >
      <IconDownload size={18} />
    </ActionIcon>
  )
}
