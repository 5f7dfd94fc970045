import { Button, Center, Stack } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { isMissing } from '../../lib/client/failure'
import { useSession } from '../../lib/session/session'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { NothingFound } from '../../ui/feedback/nothing-found'
import { TableSkeleton } from '../../ui/table/skeletons'
import { AuditTable } from './audit-table'
import { AuditToolbar } from './audit-toolbar'
import { useAudit } from './use-audit'
import { useAuditFilter } from './use-audit-filter'

export function AuditPage({ Missing }: { Missing: ComponentType }) {
  const isHost = useSession().user?.is_host ?? false
  const { filter, change } = useAuditFilter()
  const events = useAudit(filter)
  if (!isHost || isMissing(events.error)) return <Missing />
  const isFiltered = filter.kind !== undefined || filter.userId !== ''

  return (
    <Stack gap="sm">
      <AuditToolbar filter={filter} onChange={change} />
      <Loaded
        query={events}
        title="The audit log could not be loaded"
        skeleton={<TableSkeleton rows={8} />}
      >
        {(data) => (
          <>
            {data.length > 0 && <AuditTable events={data} stale={events.isPlaceholderData} />}
            {data.length === 0 && (
              <NoEvents
                isFiltered={isFiltered}
                onShowAll={() => change({ kind: '', userId: '' })}
              />
            )}
            <Older {...events} failed={events.error !== null} />
          </>
        )}
      </Loaded>
    </Stack>
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

function NoEvents({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll: () => void }) {
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
    <NothingFound
      text="No events match these filters in the last 90 days."
      showAll="Show everything"
      onShowAll={onShowAll}
    />
  )
}
