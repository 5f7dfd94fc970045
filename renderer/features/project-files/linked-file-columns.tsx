import { Badge, Button, Group, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { LinkedFile, Project } from '../../../server/contract'
import { formatCount, formatSize } from '../../lib/texts/format'
import { messages } from '../../lib/texts/messages'
import { Version } from '../../ui/file/version'
import type { Column } from '../../ui/table/data-table'
import { useIsPhone } from '../../ui/table/use-is-phone'
import { DigestMark } from '../../ui/text/digest-mark'
import { Time } from '../../ui/text/time'
import { DescribedName } from '../files/facts/described-name'
import { LinkedFileActions } from './linked-file-actions'

type Act = (file: LinkedFile) => void

/** The columns of a project's files, with what a person can do to each. */
export function linkedFileColumns(
  project: Project,
  { publish, remove, show }: Record<'publish' | 'remove' | 'show', Act>,
): Column<LinkedFile>[] {
  const isHidden = (file: LinkedFile) => project.is_public && !file.is_public
  const publishing = (file: LinkedFile) =>
    isHidden(file) && file.can.includes('publish') ? () => publish(file) : undefined

  return [
    {
      header: 'Name',
      onPhone: 'title',
      cell: (file) => (
        <Group gap="4px 6px" miw={0}>
          <DescribedName file={file} onDetails={() => show(file)} />
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
      width: 132,
      onPhone: 'action',
      cell: (file) => (
        <LinkedFileActions
          project={project}
          file={file}
          onDetails={() => show(file)}
          onPublish={publishing(file)}
          onRemove={() => remove(file)}
        />
      ),
    },
  ]
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
