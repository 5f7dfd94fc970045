import { ActionIcon, Badge, Button, Group, Stack, Text } from '@mantine/core'
import { IconDownload, IconLock } from '@tabler/icons-react'
import { platformOf, type LinkedFile } from '../../../../server/contract'
import { formatCount, formatSize, formatWhole } from '../../../lib/words/format'
import { messages } from '../../../lib/words/messages'
import { downloadUrl } from '../../../paths'
import type { Column } from '../../../ui/table/data-table'
import { DigestMark } from '../../../ui/text/digest-mark'
import { FileIcon } from '../../../ui/file/file-icon'
import { MiddleEllipsis } from '../../../ui/text/middle-ellipsis'
import { Time } from '../../../ui/text/time'

interface Actions {
  projectId: string
  publish: (fileId: string) => void
}

export function otherFileColumns({ projectId, publish }: Actions): readonly Column<LinkedFile>[] {
  return [
    { header: 'File', onPhone: 'title', cell: (file) => <FileName file={file} publish={publish} /> },
    { header: 'Size', width: 110, align: 'right', cell: ({ size }) => formatSize(size) },
    {
      header: 'Downloads',
      width: 110,
      align: 'right',
      onPhone: 'none',
      cell: ({ downloads }) => <span title={formatWhole(downloads)}>{formatCount(downloads)}</span>,
    },
    { header: 'Added', width: 150, onPhone: 'none', cell: ({ added_at }) => <Time value={added_at} /> },
    {
      header: 'Download',
      width: 68,
      align: 'right',
      hideHeader: true,
      onPhone: 'action',
      cell: (file) => <Download projectId={projectId} file={file} />,
    },
  ]
}

function FileName({ file, publish }: { file: LinkedFile; publish: Actions['publish'] }) {
  const release = [file.version, file.platform ?? platformOf(file)].filter(Boolean).join(' · ')
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <FileIcon filename={file.filename} />
      <Stack gap={2} miw={0}>
        <MiddleEllipsis text={file.filename} />
        <Group gap={6} wrap="nowrap" miw={0}>
          {release !== '' && (
            <Text size="xs" c="dimmed" truncate title={release}>
              {release} ·
            </Text>
          )}
          <DigestMark sha256={file.sha256} filename={file.filename} />
        </Group>
        {!file.is_public && <StillPrivate file={file} publish={publish} />}
      </Stack>
    </Group>
  )
}

function StillPrivate({ file, publish }: { file: LinkedFile; publish: Actions['publish'] }) {
  return (
    <Group gap={4}>
      <Badge color="gray" leftSection={<IconLock size={12} />}>
        Private
      </Badge>
      {file.can.includes('publish') && (
        <Button
          size="compact-xs"
          variant="subtle"
          aria-label={`${messages.file.makePublic}: ${file.filename}`}
          onClick={() => publish(file.file_id)}
        >
          {messages.file.makePublic}
        </Button>
      )}
    </Group>
  )
}

function Download({ projectId, file }: { projectId: string; file: LinkedFile }) {
  return (
    <ActionIcon
      component="a"
      href={downloadUrl.project(projectId, file.file_id)}
      download={file.filename}
      variant="light"
      title="Download"
      size={36}
      aria-label={`Download ${file.filename}`}
    >
      <IconDownload size={18} />
    </ActionIcon>
  )
}
