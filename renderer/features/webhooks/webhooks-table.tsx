import { Badge, Text } from '@mantine/core'
import { IconHistory, IconPencil, IconSend, IconTrash } from '@tabler/icons-react'
import type { Webhook } from '../../../server/contract'
import { ACTIONS, DataTable, type Column } from '../../ui/table/data-table'
import { RowAction, RowActions } from '../../ui/table/row-action'
import { Time } from '../../ui/text/time'
import { services } from './texts'

interface WebhooksTableProps {
  webhooks: readonly Webhook[]
  onTest: (webhook: Webhook) => void
  onShow: (webhook: Webhook) => void
  onEdit: (webhook: Webhook) => void
  onRemove: (webhook: Webhook) => void
}

export function WebhooksTable({ webhooks, onTest, onShow, onEdit, onRemove }: WebhooksTableProps) {
  const columns: Column<Webhook>[] = [
    { header: 'Name', onPhone: 'title', cell: Name },
    { header: 'Status', width: 190, cell: Status },
    {
      ...ACTIONS,
      width: 190,
      onPhone: 'detail',
      cell: (webhook) => (
        <RowActions>
          <RowAction
            icon={IconSend}
            verb="Send a test to"
            what={webhook.name}
            onClick={() => onTest(webhook)}
          />
          <RowAction
            icon={IconHistory}
            verb="Deliveries of"
            what={webhook.name}
            onClick={() => onShow(webhook)}
          />
          <RowAction
            icon={IconPencil}
            verb="Change"
            what={webhook.name}
            onClick={() => onEdit(webhook)}
          />
          <RowAction
            icon={IconTrash}
            verb="Remove"
            what={webhook.name}
            onClick={() => onRemove(webhook)}
          />
        </RowActions>
      ),
    },
  ]

  return (
    <DataTable
      label="Webhooks"
      rows={webhooks}
      rowKey={({ webhook_id }) => webhook_id}
      columns={columns}
    />
  )
}

function Name({ name, service, host }: Webhook) {
  return (
    <div style={{ minWidth: 0 }}>
      <Text component="bdi" fw={600} truncate display="block" title={name}>
        {name}
      </Text>
      <Text size="sm" c="dimmed" truncate title={host}>
        {services[service].label === name ? host : `${services[service].label} · ${host}`}
      </Text>
    </div>
  )
}

const offTexts = { failures: 'after a day of failures', gone: 'because it is gone' }

function Status({ is_on, off_reason, waiting, last_try }: Webhook) {
  if (!is_on) {
    return (
      <div>
        <Badge color={off_reason === null ? 'gray' : 'red'} variant="light">
          Off
        </Badge>
        {off_reason !== null && <Text size="sm">Turned off {offTexts[off_reason]}</Text>}
      </div>
    )
  }

  if (!last_try) return <Text c="dimmed">{waiting === 0 ? 'Nothing sent yet' : 'Sending'}</Text>

  return (
    <div>
      <Badge color={last_try.succeeded ? 'quay' : 'orange'} variant="light">
        {last_try.succeeded ? 'Works' : 'Fails'}
      </Badge>
      <Text size="sm" c="dimmed">
        <Time value={last_try.at} />
        {waiting > 0 && ` · ${waiting} waiting`}
      </Text>
    </div>
  )
}
