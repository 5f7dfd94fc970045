import { Badge, Button, Group, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import type { LinkedFile, Project } from '../../../server/contract'
import { formatCount, formatSize } from '../../lib/words/format'
import { messages } from '../../lib/words/messages'
import { DataTable, type Column } from '../../ui/table/data-table'
import { DigestMark } from '../../ui/text/digest-mark'
import { FileName } from '../../ui/file/file-name'
import { Pager } from '../../ui/table/pager'
import { Time } from '../../ui/text/time'
import { useIsPhone } from '../../ui/table/use-is-phone'
import { Version } from '../../ui/file/version'
import { LinkedFileActions } from './linked-file-actions'
import { useLinkedFiles } from './use-linked-files'
import { FILES_PER_PAGE } from '../files/use-my-files'

export function LinkedFilesTable({ project }: { project: Project }) {
  const { publish, unlink } = useLinkedFiles(project)
  const [wanted, setPage] = useState(1)
  const page = Math.min(wanted, Math.max(1, Math.ceil(project.downloads.length / FILES_PER_PAGE)))
  const isHidden = (file: LinkedFile) => project.is_public && !file.is_public
  const publishing = (file: LinkedFile) =>
    isHidden(file) && file.can.includes('publish') ? () => publish(file) : undefined

  const columns: Column<LinkedFile>[] = [
    {
      header: 'Name',
      onPhone: 'title',
      cell: (file) => (
        <Group gap="4px 6px" miw={0}>
          <FileName filename={file.filename} />
          {isHidden(file) && <PrivateMark filename={file.filename} onPublish={publishing(file)} />}
        </Group>
      ),
    },
    { header: 'Version', width: 130, cell: ({ version }) => <Version version={version} /> },
    { header: 'Platform', width: 120, cell: ({ platform }) => platform && <Platform name={platform} /> },
    { header: 'Size', width: 110, cell: ({ size }) => formatSize(size) },
    {
      header: 'SHA-256',
      width: 96,
      namedOnPhone: true,
      cell: ({ sha256, filename }) => <DigestMark sha256={sha256} filename={filename} />,
    },
    { header: 'Downloads', width: 110, namedOnPhone: true, cell: ({ downloads }) => formatCount(downloads) },
    { header: 'Added', width: 170, cell: ({ added_at }) => <Time value={added_at} /> },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'right',
      width: 100,
      onPhone: 'action',
      cell: (file) => (
        <LinkedFileActions
          project={project}
          file={file}
          onPublish={publishing(file)}
          onRemove={() => void unlink(file)}
        />
      ),
    },
  ]
  return (
    <div>
      <DataTable
        label="Files of this project"
        rows={project.downloads.slice((page - 1) * FILES_PER_PAGE, page * FILES_PER_PAGE)}
        rowKey={({ file_id }) => file_id}
        columns={columns}
      />
      <Pager page={page} pageSize={FILES_PER_PAGE} total={project.downloads.length} onPage={setPage} />
    </div>
  )
}

const Platform = ({ name }: { name: string }) => (
  <Text inherit truncate title={name}>
    {name}
  </Text>
)

function PrivateMark({ filename, onPublish }: { filename: string; onPublish: (() => void) | undefined }) {
  const isPhone = useIsPhone()
  return (
    <Group gap={6}>
      <Badge color="orange" leftSection={<IconLock size={12} />} title="Visitors do not see this file">
        Private
      </Badge>
      {onPublish && !isPhone && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={onPublish}
          aria-label={`${messages.file.makePublic}: ${filename}`}
        >
          {messages.file.makePublic}
        </Button>
      )}
    </Group>
  )
}
