import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconSend } from '@tabler/icons-react'
import type { WebhookDelivery } from '../../../server/contract'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { Disclosure } from '../../ui/layout/disclosure'
import { CodeBlock } from '../../ui/text/code-block'
import { Time } from '../../ui/text/time'
import classes from './webhooks.module.css'
import { useDeliveries, useSendAgain } from './use-webhooks'
import { formatClock, formatQuantity } from '../../lib/texts/format'

/** The last messages of a webhook, and what became of each. */
export function Deliveries({ projectId, webhookId }: { projectId: string; webhookId: string }) {
  const deliveries = useDeliveries(projectId, webhookId)
  const sending = useSendAgain(projectId, webhookId)

  return (
    <Loaded
      query={deliveries}
      title="The deliveries could not be loaded"
      skeleton={<Skeleton h={120} />}
    >
      {(list) =>
        list.length === 0 ? (
          <EmptyState
            icon={IconSend}
            title="Nothing sent yet"
            text="The last 50 messages appear here, each with the reply that it got."
          />
        ) : (
          <ul className={classes.list}>
            {list.map((delivery) => (
              <li key={delivery.delivery_id}>
                <Delivery
                  delivery={delivery}
                  isSending={sending.isPending && sending.variables === delivery.delivery_id}
                  onSend={() => !sending.isPending && sending.mutate(delivery.delivery_id)}
                />
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  )
}

const states = {
  waiting: { label: 'Waiting', color: 'orange' },
  delivered: { label: 'Delivered', color: 'quay' },
  failed: { label: 'Failed', color: 'red' },
} as const

interface DeliveryProps {
  delivery: WebhookDelivery
  isSending: boolean
  onSend: () => void
}

function Delivery({ delivery, isSending, onSend }: DeliveryProps) {
  const { summary, state, created_at, tries, next_try_at, last_try } = delivery
  const { label, color } = states[state]

  return (
    <Stack gap={6}>
      <Group justify="space-between" gap="xs" align="flex-start">
        <div className={classes.what}>
          <Text component="bdi" fw={600} className={classes.summary}>
            {summary}
          </Text>
          <Text size="sm" c="dimmed">
            <Time value={created_at} /> · {formatQuantity(tries, 'try', 'tries')}
            {next_try_at !== null && tries > 0 && (
              <>
                {' '}
                · next: <time dateTime={next_try_at}>{formatClock(next_try_at)}</time>
              </>
            )}
          </Text>
        </div>
        <Group gap="xs" wrap="nowrap">
          <Badge color={color} variant="light">
            {label}
          </Badge>
          <Button
            size="xs"
            variant="default"
            loading={isSending}
            onClick={onSend}
            aria-label={`Send again: ${summary}`}
          >
            Send again
          </Button>
        </Group>
      </Group>
      {last_try && last_try.error !== null && <Text size="sm">{last_try.error}</Text>}
      {last_try && (
        <Disclosure label="Details">
          <Details delivery={delivery} />
        </Disclosure>
      )}
    </Stack>
  )
}

function Details({ delivery: { message_id, event, last_try } }: { delivery: WebhookDelivery }) {
  if (!last_try) return null
  const { status, reply, took_ms } = last_try
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed" className={classes.summary}>
        {event} · {status === null ? 'no reply' : `status ${status}`} · {took_ms} ms · {message_id}
      </Text>
      {reply !== '' && <CodeBlock code={reply} label="Reply" />}
    </Stack>
  )
}
