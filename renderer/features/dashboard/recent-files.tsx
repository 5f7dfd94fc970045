import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { IconLock, IconWorld } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { File } from '../../../server/contract'
import { formatSize, formatWhole } from '../../lib/texts/format'
import { paths } from '../../paths'
import { DataTable, type Column } from '../../ui/table/data-table'
import { FileName } from '../../ui/file/file-name'
import { Loaded } from '../../ui/feedback/loaded'
import { TableSkeleton } from '../../ui/table/skeletons'
import { Time } from '../../ui/text/time'
import { useRecentFiles } from './use-recent-files'

const columns: Column<File>[] = [
  {
    header: 'Name',
    onPhone: 'title',
    cell: ({ filename, icon_url }) => <FileName filename={filename} icon={icon_url} />,
  },
  { header: 'Size', width: 120, fits: true, cell: ({ size }) => formatSize(size) },
  {
    header: 'Visibility',
    width: 110,
    fits: true,
    cell: ({ is_public }) => <Visibility isPublic={is_public} />,
  },
  {
    header: 'Uploaded',
    width: 150,
    fits: true,
    cell: ({ uploaded_at }) => <Time value={uploaded_at} />,
  },
]

export function RecentFiles() {
  const files = useRecentFiles()

  const { data } = files
  // The first-steps card covers this case.
  if (data?.total === 0) return null

  return (
    <Stack component="section" gap="sm" aria-labelledby="recent">
      <Group justify="space-between" align="baseline">
        <Title order={2} size="h3" id="recent">
          Recent files
        </Title>
        {data && (
          <Anchor component={Link} to={paths.myFiles} size="sm">
            {data.total > data.files.length ? `All ${formatWhole(data.total)} files` : 'All files'}
          </Anchor>
        )}
      </Group>
      <Loaded
        query={files}
        title="Your files could not be loaded"
        skeleton={<TableSkeleton rows={5} />}
      >
        {({ files: rows }) => (
          <DataTable
            label="Recent files"
            rows={rows}
            rowKey={({ file_id }) => file_id}
            columns={columns}
          />
        )}
      </Loaded>
    </Stack>
  )
}

function Visibility({ isPublic }: { isPublic: boolean }) {
  const Picture = isPublic ? IconWorld : IconLock

  return (
    <Group
      gap={6}
      wrap="nowrap"
      component="span"
      display="inline-flex"
      style={{ verticalAlign: 'middle' }}
      c={isPublic ? '' : 'dimmed'}
    >
      <Picture size={14} aria-hidden />
      <Text component="span" inherit>
        {isPublic ? 'Public' : 'Private'}
      </Text>
    </Group>
  )
}
