import { Badge, Button, Group, Text } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import type { LinkedFile, Project } from '../../../server/contract'
import { platformOf } from '../../../server/contract/files/platforms'
import { formatCount, formatSize } from '../../lib/texts/format'
import { messages } from '../../lib/texts/messages'
import { DamagedBadge } from '../../ui/file/damaged-badge'
import { Version } from '../../ui/file/version'
import { ACTIONS, type Column } from '../../ui/table/data-table'
import { Time } from '../../ui/text/time'
import { DescribedName } from '../files/facts/described-name'
import { LinkedFileActions } from './linked-file-actions'

type Act = (file: LinkedFile) => void

/** Columns of a project's files, with the actions on each. */
export function linkedFileColumns(
  project: Project,
  { publish, remove, show }: Record<'publish' | 'remove' | 'show', Act>,
): Column<LinkedFile>[] {
  const isHidden = (file: LinkedFile) => project.is_public && !file.is_public
  const publishAction = (file: LinkedFile) =>
    isHidden(file) && file.can.includes('publish') ? () => publish(file) : undefined

  return [
    {
      header: 'Name',
      onPhone: 'title',
      cell: (file) => (
        <DescribedName file={file} onDetails={() => show(file)}>
          {file.is_damaged && <DamagedBadge />}
          {isHidden(file) && (
            <PrivateMark filename={file.filename} onPublish={publishAction(file)} />
          )}
        </DescribedName>
      ),
    },
    {
      header: 'Version',
      width: 170,
      fits: true,
      isBlank: ({ version }) => version === null,
      cell: ({ version }) => <Version version={version} />,
    },
    {
      header: 'Platform',
      width: 150,
      isBlank: (file) => !file.platform && platformOf(file) === undefined,
      fits: true,
      cell: (file) => {
        const name = file.platform ?? platformOf(file)
        return name && <Platform name={name} />
      },
    },
    { header: 'Size', width: 120, fits: true, cell: ({ size }) => formatSize(size) },
    {
      header: 'Downloads',
      width: 110,
      fits: true,
      namedOnPhone: true,
      cell: ({ downloads }) => formatCount(downloads),
    },
    { header: 'Added', width: 150, fits: true, cell: ({ added_at }) => <Time value={added_at} /> },
    {
      ...ACTIONS,
      width: 164,
      cell: (file) => (
        <LinkedFileActions
          project={project}
          file={file}
          onDetails={() => show(file)}
          onPublish={publishAction(file)}
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

function PrivateMark({
  filename,
  onPublish,
}: {
  filename: string
  onPublish: (() => void) | undefined
}) {
  return (
    <Group gap={6} mt={2}>
      <Badge
        color="orange"
        flex="none"
        leftSection={<IconLock size={12} />}
        title="Visitors do not see this file"
      >
        Private
      </Badge>
      {onPublish && (
        <Button
          size="compact-sm"
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
