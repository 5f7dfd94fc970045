import { Badge, Stack, Text, Title } from '@mantine/core'
import type { FinishedTransfer } from '../../../server/contract'
import { formatSize } from '../../lib/texts/format'
import { DataTable, type Column } from '../../ui/table/data-table'
import { Time } from '../../ui/text/time'
import { whoOf } from './host-words'
import { TransferName } from './running-transfers'

const outcomes = {
  done: { text: 'Complete', color: 'green' },
  cut: { text: 'Ended by you', color: 'gray' },
  broken: { text: 'Interrupted', color: 'orange' },
} as const

const columns: readonly Column<FinishedTransfer>[] = [
  { header: 'File', onPhone: 'title', cell: (transfer) => <TransferName {...transfer} /> },
  { header: 'Who', width: 200, cell: (transfer) => whoOf(transfer) },
  { header: 'Size', width: 120, align: 'right', cell: ({ bytes }) => formatSize(bytes) },
  {
    header: 'Result',
    width: 150,
    cell: ({ outcome }) => <Badge color={outcomes[outcome].color}>{outcomes[outcome].text}</Badge>,
  },
  { header: 'When', width: 160, cell: ({ ended_at }) => <Time value={ended_at} /> },
]

export function RecentTransfers({ recent }: { recent: readonly FinishedTransfer[] }) {
  return (
    <Stack component="section" aria-labelledby="recent" gap="sm">
      <Title order={2} size="h3" id="recent">
        Recent transfers
      </Title>
      {recent.length === 0 && <Text c="dimmed">No transfers since this host started.</Text>}
      {recent.length > 0 && (
        <DataTable
          label="Recent transfers"
          rows={recent}
          rowKey={(it) => it.transfer_id}
          columns={columns}
        />
      )}
    </Stack>
  )
}
