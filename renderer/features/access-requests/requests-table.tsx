import { Button, Group, Stack, Text } from '@mantine/core'
import type { AccessRequest } from '../../../server/contract'
import { ACTIONS, DataTable, type Column } from '../../ui/table/data-table'
import { SelectBox } from '../../ui/table/select-box'
import type { Selection } from '../../ui/table/use-selection'
import { Time } from '../../ui/text/time'
import { nameAsker } from './use-access-requests'

interface RequestsTableProps {
  requests: readonly AccessRequest[]
  stale: boolean
  selection: Selection<AccessRequest>
  onApprove: (request: AccessRequest) => void
  /** Undefined: they are declined already. */
  onDecline: ((request: AccessRequest) => void) | undefined
}

export function RequestsTable(props: RequestsTableProps) {
  const { requests, stale, selection, onApprove, onDecline } = props
  const columns: Column<AccessRequest>[] = [
    {
      header: 'From',
      width: 260,
      onPhone: 'title',
      cell: (request) => (
        <Group gap={0} wrap="nowrap" miw={0}>
          <SelectBox item={request} name={nameAsker(request)} selection={selection} />
          <Asker request={request} />
        </Group>
      ),
    },
    { header: 'Note', cell: Note },
    {
      header: 'Sent',
      width: 140,
      namedOnPhone: true,
      cell: ({ created_at }) => <Time value={created_at} />,
    },
    {
      ...ACTIONS,
      width: 200,
      onPhone: 'detail',
      cell: (request) => (
        <Group gap={6} wrap="nowrap" justify="flex-end">
          <Button
            size="xs"
            variant="default"
            aria-label={`Approve ${nameAsker(request)}`}
            // The second click of a double click would be for the row that moved up.
            onClick={({ detail }) => detail < 2 && onApprove(request)}
          >
            Approve
          </Button>
          {onDecline && (
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              aria-label={`Decline ${nameAsker(request)}`}
              onClick={({ detail }) => detail < 2 && onDecline(request)}
            >
              Decline
            </Button>
          )}
        </Group>
      ),
    },
  ]

  return (
    <DataTable
      label="Requests for access"
      rows={requests}
      rowKey={({ request_id }) => request_id}
      columns={columns}
      stale={stale}
    />
  )
}

/** What strangers write is plain text, and no link. */
function Asker({ request }: { request: AccessRequest }) {
  const { name, email } = request

  return (
    <Stack gap={0} miw={0}>
      <Text component="bdi" fw={600} truncate title={nameAsker(request)}>
        {nameAsker(request)}
      </Text>
      {name !== null && email !== null && (
        <Text component="bdi" size="sm" c="dimmed" truncate title={email}>
          {email}
        </Text>
      )}
    </Stack>
  )
}

const Note = ({ note }: AccessRequest) => (
  <Text
    component="span"
    inherit
    dir="auto"
    {...(note === '' && { c: 'dimmed' })}
    style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}
  >
    {note === '' ? 'No note' : note}
  </Text>
)
