import { Badge, Group, Text } from '@mantine/core'
import type { AuditEvent } from '../../../server/contract'
import { DataTable, type Column } from '../../ui/table/data-table'
import { MiddleEllipsis } from '../../ui/text/middle-ellipsis'
import { Time } from '../../ui/text/time'
import classes from './audit-table.module.css'
import { mergeEvents, type MergedEvents } from './merge-events'
import { kindTexts } from './texts'

const columns: readonly Column<MergedEvents>[] = [
  {
    header: 'What',
    onPhone: 'title',
    cell: ([event, ...others]) => <What event={event} others={others} />,
  },
  { header: 'Who', width: 180, cell: ([event]) => <Who {...event} /> },
  { header: 'From', width: 220, cell: ([event]) => <From {...event} /> },
  { header: 'When', width: 170, cell: ([{ at }]) => <Time value={at} /> },
]

export function AuditTable({ events, stale }: { events: readonly AuditEvent[]; stale: boolean }) {
  return (
    <DataTable
      label="Events"
      rows={mergeEvents(events)}
      rowKey={([{ event_id }]) => event_id}
      columns={columns}
      stale={stale}
    />
  )
}

function What({ event, others }: { event: AuditEvent; others: readonly AuditEvent[] }) {
  return (
    <>
      <Group gap="xs">
        <Text fw={600}>{kindTexts[event.kind]}</Text>
        {others.length > 0 && <Badge color="gray">{others.length + 1} times</Badge>}
      </Group>
      <Subject {...event} />
      {others.some(({ subject }) => subject !== null) && (
        <details className={classes.others}>
          <summary>and {others.length} more</summary>
          {others.map((other) => (
            <Subject key={other.event_id} {...other} />
          ))}
        </details>
      )}
    </>
  )
}

function Subject({ subject, detail }: AuditEvent) {
  return (
    <>
      {subject !== null && <MiddleEllipsis text={subject} />}
      {detail !== null && (
        <Text component="bdi" display="block" size="xs" c="dimmed" truncate title={detail}>
          {detail}
        </Text>
      )}
    </>
  )
}

function Who({ username, via }: AuditEvent) {
  if (username !== null) return <MiddleEllipsis text={username} />
  return (
    <Text c="dimmed">
      {via === 'command_line' || via === 'host' ? 'The host' : 'Not signed in'}
    </Text>
  )
}

const origins: Record<AuditEvent['via'], string> = {
  browser: 'Browser',
  window: 'App window',
  api_key: 'API key',
  command_line: 'Command line',
  watched_folder: 'Watched folder',
  host: 'The host itself',
}

function From({ address, via, key_name }: AuditEvent) {
  if (address === null) return <Text c="dimmed">{origins[via]}</Text>

  return (
    <>
      {address}{' '}
      <Text
        component="bdi"
        className={classes.via}
        size="xs"
        c="dimmed"
        truncate
        title={key_name ?? ''}
      >
        {key_name === null ? origins[via] : `API key “${key_name}”`}
      </Text>
    </>
  )
}
