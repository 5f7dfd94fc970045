import { Group, Progress, Stack, Text, Title } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconPlugConnectedX } from '@tabler/icons-react'
import type { Transfer } from '../../../server/contract'
import { formatSize, formatSpeed } from '../../lib/texts/format'
import { ACTIONS, DataTable, type Column } from '../../ui/table/data-table'
import { RowAction } from '../../ui/table/row-action'
import { isMissing } from '../../lib/client/failure'
import { useCall } from '../../lib/client/use-call'
import { queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'
import { nameOf, timeLeft, whoOf } from './host-words'

export function RunningTransfers({ transfers }: { transfers: readonly Transfer[] }) {
  const cut = useCutTransfer()

  const columns: Column<Transfer>[] = [
    { header: 'File', onPhone: 'title', cell: (transfer) => <TransferName {...transfer} /> },
    { header: 'Who', width: 200, cell: (transfer) => whoOf(transfer) },
    {
      header: 'Progress',
      width: 240,
      onPhone: 'title',
      cell: (transfer) => <TransferProgress transfer={transfer} />,
    },
    { header: 'Speed', width: 120, align: 'right', cell: ({ speed }) => formatSpeed(speed) },
    {
      ...ACTIONS,
      width: 70,
      cell: (transfer) => (
        <RowAction
          icon={IconPlugConnectedX}
          verb="End"
          what={`${nameOf(transfer)} for ${whoOf(transfer)}`}
          onClick={() => cut(transfer)}
        />
      ),
    },
  ]

  return (
    <Stack component="section" aria-labelledby="running" gap="sm">
      <Title order={2} size="h3" id="running">
        Active transfers
      </Title>
      {transfers.length === 0 && (
        <Text c="dimmed">Downloads and uploads appear here while they run.</Text>
      )}
      {transfers.length > 0 && (
        <DataTable
          label="Active transfers"
          rows={transfers}
          rowKey={(it) => it.transfer_id}
          columns={columns}
        />
      )}
    </Stack>
  )
}

export function TransferName(transfer: Pick<Transfer, 'filename' | 'direction'>) {
  const [Picture, word] =
    transfer.direction === 'upload' ? [IconArrowUp, 'Upload'] : [IconArrowDown, 'Download']
  return (
    <Group gap="xs" wrap="nowrap">
      <Picture size={16} role="img" aria-label={word} style={{ flex: 'none' }} />
      <Text component="bdi" style={{ overflowWrap: 'anywhere' }}>
        {nameOf(transfer)}
      </Text>
    </Group>
  )
}

function TransferProgress({ transfer }: { transfer: Transfer }) {
  const { bytes, size } = transfer
  const remaining = timeLeft(transfer)

  return (
    <Stack gap={4}>
      {size !== null && (
        <Progress
          size="sm"
          value={size === 0 ? 100 : (bytes / size) * 100}
          aria-label={`Progress of ${nameOf(transfer)}`}
        />
      )}
      <Text size="xs" c="dimmed">
        {[
          size === null ? formatSize(bytes) : `${formatSize(bytes)} of ${formatSize(size)}`,
          remaining,
        ]
          .filter((text) => text !== '')
          .join(' · ')}
      </Text>
    </Stack>
  )
}

/** Ends a transfer after a question. One that just ended by itself is no failure. */
const useCutTransfer = () =>
  useCall((client, { transfer_id: id }: Transfer) => client.activity.cut({ id }), {
    ask: (transfer) =>
      confirm({
        title: `End this ${transfer.direction}`,
        message:
          `${nameOf(transfer)} stops for ${whoOf(transfer)} immediately. They can start it ` +
          'again.',
        confirmLabel: `End ${transfer.direction}`,
        danger: true,
      }),
    failed: (_transfer, cause) => (isMissing(cause) ? undefined : 'Failed to end the transfer'),
    refresh: [queryKeys.activity],
  }).mutate
