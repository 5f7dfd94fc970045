import { Badge, Button, Group, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { LinkedFile, Project } from '../../../server/contract'
import { formatCount, formatSize } from '../../lib/format'
import { DataTable, type Column } from '../../ui/data-table'
import { Time } from '../../ui/time'
import { Version } from '../../ui/version'
import { FileName } from './file-name'
import { LinkedFileActions } from './linked-file-actions'
import { useLinkedFiles } from './use-linked-files'

/** The files of a project, with what visitors see of them. */
export function LinkedFilesTable({ project }: { project: Project }) {
  const { publish, unlink } = useLinkedFiles(project)
  const columns: Column<LinkedFile>[] = [
    {
      header: 'Name',
      onPhone: 'title',
      cell: (file) => (
        <Group gap="4px 6px">
          <FileName filename={file.filename} />
          {project.is_public && !file.is_public && <PrivateMark file={file} onPublish={() => publish(file)} />}
        </Group>
      ),
    },
    { header: 'Version', width: 130, cell: ({ version }) => <Version version={version} /> },
    {
      header: 'Platform',
      width: 110,
      cell: ({ platform }) =>
        platform && (
          <Text inherit truncate>
            {platform}
          </Text>
        ),
    },
    { header: 'Size', width: 110, cell: ({ size }) => formatSize(size) },
    { header: 'Downloads', width: 110, namedOnPhone: true, cell: ({ downloads }) => formatCount(downloads) },
    { header: 'Added', width: 130, cell: ({ added_at }) => <Time value={added_at} /> },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'right',
      width: 100,
      onPhone: 'action',
      cell: (file) => <LinkedFileActions project={project} file={file} onRemove={() => void unlink(file)} />,
    },
  ]
  return (
    <DataTable
      label="Files of this project"
      rows={project.downloads}
      rowKey={({ file_id }) => file_id}
      columns={columns}
    />
  )
}

/** Visitors do not see this file, although the project is public; those who may can change that here. */
function PrivateMark({ file, onPublish }: { file: LinkedFile; onPublish: () => void }) {
  return (
    <Group gap={6} wrap="nowrap">
      <Badge color="orange" leftSection={<IconLock size={12} />} title="Visitors do not see this file">
        Private
      </Badge>
      {file.can.includes('publish') && (
        <Button size="compact-xs" variant="subtle" onClick={onPublish} aria-label={`Make public: ${file.filename}`}>
          Make public
        </Button>
      )}
    </Group>
  )
}
