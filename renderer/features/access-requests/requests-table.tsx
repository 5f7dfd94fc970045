import { Stack, Text } from '@mantine/core'
import type { AccessRequest } from '../../../server/contract'
import { ACTIONS, DataTable, type Column } from '../../ui/table/data-table'
import { RowActions, RowButton } from '../../ui/table/row-action'
import { Selectable } from '../../ui/table/select-box'
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
        <Selectable item={request} name={nameAsker(request)} selection={selection}>
          <Asker request={request} />
        </Selectable>
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
        <RowActions>
          <RowButton verb="Approve" what={nameAsker(request)} onClick={() => onApprove(request)} />
          {onDecline && (
            <RowButton
              verb="Decline"
              what={nameAsker(request)}
              isQuiet
              onClick={() => onDecline(request)}
            />
          )}
        </RowActions>
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
