import { Badge, Group, Stack, Text } from '@mantine/core'
import { IconLinkOff, IconLock, IconPencil } from '@tabler/icons-react'
import type { TesterLink } from '../../../server/contract'
import { formatDate, formatExactTime, formatWhole } from '../../lib/texts/format'
import { ACTIONS, DataTable, type Column } from '../../ui/table/data-table'
import { RowAction, RowActions } from '../../ui/table/row-action'
import { Time } from '../../ui/text/time'

interface TestersTableProps {
  testers: readonly TesterLink[]
  onEdit: (tester: TesterLink) => void
  onRevoke: (tester: TesterLink) => void
}

export function TestersTable({ testers, onEdit, onRevoke }: TestersTableProps) {
  const columns: Column<TesterLink>[] = [
    { header: 'Name', onPhone: 'title', cell: Name },
    { header: 'Channel', width: 100, namedOnPhone: true, cell: ({ channel }) => channel },
    { header: 'Has', width: 215, namedOnPhone: true, cell: Versions },
    { header: 'Until', width: 165, namedOnPhone: true, cell: End },
    {
      header: 'Opens',
      width: 80,
      align: 'right',
      namedOnPhone: true,
      cell: ({ opens }) => formatWhole(opens),
    },
    {
      header: 'Downloads',
      width: 110,
      align: 'right',
      namedOnPhone: true,
      cell: ({ downloads }) => formatWhole(downloads),
    },
    { header: 'Last seen', width: 130, namedOnPhone: true, cell: LastSeen },
    {
      ...ACTIONS,
      width: 100,
      cell: (tester) => (
        <RowActions>
          <RowAction
            icon={IconPencil}
            verb="Change"
            what={tester.name}
            onClick={() => onEdit(tester)}
          />
          <RowAction
            icon={IconLinkOff}
            verb="Revoke"
            what={tester.name}
            onClick={() => onRevoke(tester)}
          />
        </RowActions>
      ),
    },
  ]

  return (
    <DataTable
      label="Tester links"
      rows={testers}
      rowKey={({ tester_id }) => tester_id}
      columns={columns}
    />
  )
}

function Name({ name, asked, has_password }: TesterLink) {
  return (
    <Group gap={6} wrap="nowrap">
      <Stack gap={0} miw={0}>
        <Text component="bdi" fw={600} truncate title={name}>
          {name}
        </Text>
        {asked?.email != null && (
          <Text component="bdi" size="sm" c="dimmed" truncate title={asked.email}>
            {asked.email}
          </Text>
        )}
      </Stack>
      {has_password && (
        <IconLock size={16} style={{ flex: 'none' }} role="img" aria-label="With a password" />
      )}
    </Group>
  )
}

function End({ expires_at, active }: TesterLink) {
  if (!active) return <Badge color="gray">Ended</Badge>
  return (
    <time dateTime={expires_at} title={formatExactTime(expires_at)}>
      {formatDate(expires_at)}
    </time>
  )
}

/** A link can have several systems, and a group several people. */
function Versions({ versions, devices }: TesterLink) {
  if (versions.length + devices.length === 0)
    return (
      <Text component="span" inherit c="dimmed">
        Nothing yet
      </Text>
    )

  return (
    <Stack gap={0}>
      {versions.map(({ version, platform }) => (
        <Text key={platform} component="span" inherit truncate title={version}>
          <bdi>{version}</bdi>
          {platform !== null && (
            <Text component="span" inherit c="dimmed">
              {' '}
              {platform}
            </Text>
          )}
        </Text>
      ))}
      {devices.map(({ model, at, confirmed }) => (
        <Text
          key={`${model} ${at}`}
          component="span"
          inherit
          c="dimmed"
          truncate
          title={`${confirmed ? 'Confirmed' : 'Not confirmed'} by Apple, ${formatExactTime(at)}`}
        >
          {model}
          {!confirmed && ' unconfirmed'}
        </Text>
      ))}
    </Stack>
  )
}

function LastSeen({ last_seen_at }: TesterLink) {
  if (last_seen_at !== null) return <Time value={last_seen_at} />
  return (
    <Text component="span" inherit c="dimmed">
      Never
    </Text>
  )
}
