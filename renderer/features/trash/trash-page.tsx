import { IconTrash } from '@tabler/icons-react'
import { TRASH_DAYS } from '../../../server/contract'
import { useListAddress } from '../../lib/hooks/use-list-address'
import { EmptyState } from '../../ui/feedback/empty-state'
import { LoadError } from '../../ui/feedback/load-error'
import { Page } from '../../ui/layout/page'
import { Pager } from '../../ui/table/pager'
import { TableSkeleton } from '../../ui/table/skeletons'
import { TrashTable } from './trash-table'
import { TRASH_PER_PAGE, useTrash } from './use-trash'

export function TrashPage() {
  const { shown, change } = useListAddress({})
  const { data, error, refetch, isPlaceholderData } = useTrash(shown.page)
  return (
    <Page
      title="Recently deleted"
      description={`Deleted files and projects can be restored for ${TRASH_DAYS} days. They do not count against your storage.`}
    >
      {!data && !error && <TableSkeleton rows={5} />}
      {!data && error && (
        <LoadError title="The deleted items could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {data?.total === 0 && (
        <EmptyState
          icon={IconTrash}
          title="Nothing deleted recently"
          text="Deleted files and projects stay here for a while."
        />
      )}
      {data && data.total > 0 && (
        <>
          <TrashTable items={data.items} stale={isPlaceholderData} />
          <Pager page={shown.page} pageSize={TRASH_PER_PAGE} total={data.total} onPage={(page) => change({ page })} />
        </>
      )}
    </Page>
  )
}
