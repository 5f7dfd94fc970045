import { ActionIcon, Code, Group, Text, Tooltip } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { Build } from '../../../server/contract'
import { formatSize } from '../../lib/format'
import { downloadUrl } from '../../paths'
import { DataTable, type Column } from '../../ui/data-table'
import { FileIcon } from '../../ui/file-icon'
import { MiddleEllipsis } from '../../ui/middle-ellipsis'
import { Time } from '../../ui/time'

const columns: Column<Build>[] = [
  {
    header: 'Filename',
    onPhone: 'title',
    cell: ({ filename }) => (
      <Group gap="xs" wrap="nowrap">
        <FileIcon filename={filename} />
        <MiddleEllipsis text={filename} />
      </Group>
    ),
  },
  { header: 'Version', width: 150, cell: ({ version }) => <Version version={version} /> },
  { header: 'Size', width: 120, cell: ({ sizeBytes }) => formatSize(sizeBytes) },
  { header: 'Build date', width: 180, cell: ({ buildDate }) => <Time value={buildDate} /> },
  {
    header: 'Download',
    hideHeader: true,
    width: 70,
    align: 'right',
    onPhone: 'action',
    cell: ({ file_id, filename }) => (
      <Tooltip label="Download">
        <ActionIcon
          component="a"
          href={downloadUrl.build(file_id)}
          download
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Download ${filename}`}
        >
          <IconDownload size={18} />
        </ActionIcon>
      </Tooltip>
    ),
  },
]

export function BuildsTable({ builds, stale }: { builds: readonly Build[]; stale: boolean }) {
  return <DataTable label="Builds" rows={builds} rowKey={({ file_id }) => file_id} columns={columns} stale={stale} />
}

function Version({ version }: { version: string | null }) {
  if (version === null) {
    return (
      <Text component="span" c="dimmed" title="Give a version when you upload, or write it into the filename">
        Unknown
      </Text>
    )
  }
  return (
    <Code title={version} maw="100%" style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
      {version}
    </Code>
  )
}
