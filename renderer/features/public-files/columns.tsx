import { ActionIcon, Group } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { File } from '../../../server/contract'
import { formatCount, formatSize, formatWhole } from '../../lib/format'
import { downloadUrl } from '../../paths'
import type { Column } from '../../ui/data-table'
import { FileIcon } from '../../ui/file-icon'
import { MiddleEllipsis } from '../../ui/middle-ellipsis'
import { Time } from '../../ui/time'

export const columns: readonly Column<File>[] = [
  {
    header: 'File',
    onPhone: 'title',
    cell: ({ filename }) => (
      <Group gap="sm" wrap="nowrap" miw={0}>
        <FileIcon filename={filename} />
        <MiddleEllipsis text={filename} />
      </Group>
    ),
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
