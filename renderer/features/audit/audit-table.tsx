import { Text } from '@mantine/core'
import type { AuditEvent } from '../../../server/contract'
import { DataTable, type Column } from '../../ui/table/data-table'
import { MiddleEllipsis } from '../../ui/text/middle-ellipsis'
import { Time } from '../../ui/text/time'
import { kindTexts } from './texts'

const columns: readonly Column<AuditEvent>[] = [
  { header: 'What', onPhone: 'title', cell: What },
  { header: 'Who', width: 180, cell: Who },
  { header: 'From', width: 220, cell: From },
  { header: 'When', width: 170, cell: ({ at }) => <Time value={at} /> },
]

export function AuditTable({ events, stale }: { events: readonly AuditEvent[]; stale: boolean }) {
  return <DataTable label="Events" rows={events} rowKey={({ event_id }) => event_id} columns={columns} stale={stale} />
}

function What({ kind, subject, detail }: AuditEvent) {
  return (
    <>
      <Text fw={600}>{kindTexts[kind]}</Text>
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
  return <Text c="dimmed">{via === 'command_line' ? 'The host' : 'Not signed in'}</Text>
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
  if (address === null) return <Text c="dimmed">{origins.command_line}</Text>
  return (
    <>
      {address}
      <Text component="bdi" display="block" size="xs" c="dimmed" truncate title={key_name ?? ''}>
        {key_name === null ? origins[via] : `API key “${key_name}”`}
      </Text>
    </>
  )
}
