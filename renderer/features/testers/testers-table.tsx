import { Badge, Group, Text } from '@mantine/core'
import { IconLinkOff, IconLock, IconPencil } from '@tabler/icons-react'
import type { TesterLink } from '../../../server/contract'
import { formatDate, formatExactTime, formatWhole } from '../../lib/texts/format'
import { ACTIONS, DataTable, type Column } from '../../ui/table/data-table'
import { RowAction } from '../../ui/table/row-action'
import { Time } from '../../ui/text/time'

interface TestersTableProps {
  testers: readonly TesterLink[]
  onEdit: (tester: TesterLink) => void
  onRevoke: (tester: TesterLink) => void
}

export function TestersTable({ testers, onEdit, onRevoke }: TestersTableProps) {
  const columns: Column<TesterLink>[] = [
    { header: 'Name', onPhone: 'title', cell: Name },
    { header: 'Channel', width: 110, namedOnPhone: true, cell: ({ channel }) => channel },
    { header: 'Until', width: 190, namedOnPhone: true, cell: End },
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
    { header: 'Last opened', width: 150, namedOnPhone: true, cell: LastOpened },
    {
      ...ACTIONS,
      width: 100,
      cell: (tester) => (
        <Group gap={4} wrap="nowrap" justify="flex-end">
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
        </Group>
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

function Name({ name, has_password }: TesterLink) {
  return (
    <Group gap={6} wrap="nowrap">
      <Text component="bdi" fw={600} truncate title={name}>
        {name}
      </Text>
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

function LastOpened({ last_opened_at }: TesterLink) {
  if (last_opened_at !== null) return <Time value={last_opened_at} />
  return (
    <Text component="span" inherit c="dimmed">
      Never
    </Text>
  )
}
