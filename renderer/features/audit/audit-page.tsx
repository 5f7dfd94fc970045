import { Button, Center, Stack } from '@mantine/core'
import { IconHistory, IconSearchOff } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { ApiError } from '../../lib/client/api-client'
import { useSession } from '../../lib/session/session'
import { EmptyState } from '../../ui/feedback/empty-state'
import { LoadError } from '../../ui/feedback/load-error'
import { Page } from '../../ui/layout/page'
import { TableSkeleton } from '../../ui/table/skeletons'
import { AuditTable } from './audit-table'
import { AuditToolbar } from './audit-toolbar'
import { useAudit } from './use-audit'
import { useAuditFilter } from './use-audit-filter'

export function AuditPage({ Missing }: { Missing: ComponentType }) {
  const isHost = useSession().user?.is_host ?? false
  const { filter, change } = useAuditFilter()
  const { events, error, refetch, isPlaceholderData, ...older } = useAudit(filter)
  if (!isHost || (error instanceof ApiError && error.status === 404)) return <Missing />
  const isFiltered = filter.kind !== undefined || filter.userId !== ''
  return (
    <Page title="Audit log" description="Who did what on this host, and from where, in the last 90 days.">
      <Stack gap="sm">
        <AuditToolbar filter={filter} onChange={change} />
        {!events && !error && <TableSkeleton rows={8} />}
        {!events && error && (
          <LoadError title="The audit log could not be loaded" error={error} onRetry={() => void refetch()} />
        )}
        {events && events.length > 0 && <AuditTable events={events} stale={isPlaceholderData} />}
        {events?.length === 0 && <Nothing isFiltered={isFiltered} onShowAll={() => change({ kind: '', userId: '' })} />}
        {events && <Older {...older} failed={error !== null} />}
      </Stack>
    </Page>
  )
}

interface OlderProps {
  failed: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => unknown
}

function Older({ failed, hasNextPage, isFetchingNextPage, fetchNextPage }: OlderProps) {
  if (!hasNextPage) return null
  return (
    <Center>
      <Button variant="subtle" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {failed ? 'Older events could not be loaded. Try again' : 'Show older events'}
      </Button>
    </Center>
  )
}

function Nothing({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll: () => void }) {
  if (!isFiltered) {
    return (
      <EmptyState
        icon={IconHistory}
        title="No events yet"
        text="Sign-ins, uploads and every change on this host are listed here."
      />
    )
  }
  return (
    <EmptyState
      icon={IconSearchOff}
      title="Nothing found"
      text="There are no events of this kind in the last 90 days."
      action={
        <Button variant="default" onClick={onShowAll}>
          Show everything
        </Button>
      }
    />
  )
}
