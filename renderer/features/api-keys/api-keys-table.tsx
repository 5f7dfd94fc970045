import { Badge, Code, Text } from '@mantine/core'
import type { ApiKey } from '../../../server/contract'
import { formatExactTime } from '../../lib/texts/format'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { ACTIONS, DataTable, type Column } from '../../ui/table/data-table'
import { RowActions, RowButton } from '../../ui/table/row-action'
import { Time } from '../../ui/text/time'
import { useNow } from '../../ui/text/use-now'
import { expiryText } from './expiry'
import { describeRestriction } from './scopes'
import { useEndApiKey } from './use-api-keys'

/** The start of an ID, which distinguishes keys. */
const ID_SHOWN = 12
const colors: Record<ApiKey['status'], string> = { active: 'quay', revoked: 'red', expired: 'gray' }

export function ApiKeysTable({ keys }: { keys: readonly ApiKey[] }) {
  const { revoke, remove } = useEndApiKey()

  const projects = useMyProjects().data ?? []
  const columns: Column<ApiKey>[] = [
    {
      header: 'Name',
      onPhone: 'title',
      cell: (key) => <Name name={key.name} restriction={describeRestriction(key, projects)} />,
    },
    {
      header: 'Key ID',
      width: 140,
      cell: ({ key_id }) => <Code title={key_id}>{key_id.slice(0, ID_SHOWN)}…</Code>,
    },
    {
      header: 'Status',
      width: 110,
      cell: ({ status }) => <Badge color={colors[status]}>{capitalize(status)}</Badge>,
    },
    {
      header: 'Created',
      width: 150,
      namedOnPhone: true,
      cell: ({ created_at }) => <Time value={created_at} />,
    },
    {
      header: 'Expires',
      width: 130,
      namedOnPhone: true,
      cell: ({ expires_at }) => <Expiry at={expires_at} />,
    },
    {
      header: 'Last used',
      width: 150,
      namedOnPhone: true,
      cell: ({ last_used }) =>
        last_used === null ? <Dimmed>Never</Dimmed> : <Time value={last_used} />,
    },
    {
      ...ACTIONS,
      width: 190,
      onPhone: 'detail',
      cell: (key) => (
        <RowActions>
          {key.active && <RowButton verb="Revoke" what={key.name} onClick={() => revoke(key)} />}
          <RowButton verb="Delete" what={key.name} isDangerous onClick={() => remove(key)} />
        </RowActions>
      ),
    },
  ]

  return (
    <DataTable label="API keys" rows={keys} rowKey={({ key_id }) => key_id} columns={columns} />
  )
}

function Name({ name, restriction }: { name: string; restriction: string }) {
  return (
    <>
      <Text fw={600} lineClamp={2} title={name} style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      {restriction !== '' && (
        <Text size="xs" c="dimmed" truncate title={restriction}>
          {restriction}
        </Text>
      )}
    </>
  )
}

function Expiry({ at }: { at: string | null }) {
  const now = useNow()
  if (at === null) return <Dimmed>Never</Dimmed>
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {expiryText(at, now)}
    </time>
  )
}

const Dimmed = ({ children }: { children: string }) => (
  <Text component="span" inherit c="dimmed">
    {children}
  </Text>
)

const capitalize = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
