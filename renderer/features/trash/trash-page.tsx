import { Button, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { TRASH_DAYS } from '../../../server/contract/limits'
import { describePage } from '../../../server/contract/routes'
import { useListAddress } from '../../lib/hooks/use-list-address'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { Page } from '../../ui/layout/page'
import { Pager } from '../../ui/table/pager'
import { TableSkeleton } from '../../ui/table/skeletons'
import { useSelection } from '../../ui/table/use-selection'
import { TrashHead } from './trash-head'
import { TrashTable } from './trash-table'
import { TRASH_PER_PAGE, useTrash, useTrashActions } from './use-trash'

export function TrashPage() {
  const { listState, change } = useListAddress({})
  const trash = useTrash(listState.page)
  const { empty } = useTrashActions()
  const selection = useSelection({
    items: trash.data?.items ?? [],
    idOf: ({ trash_id }) => trash_id,
    page: listState.page,
    isCurrent: trash.data !== undefined && !trash.isPlaceholderData,
  })

  return (
    <Page
      {...describePage('trash')}
      description={
        `Deleted files, releases and projects can be restored for ${TRASH_DAYS} days. They do ` +
        'not count against your storage.'
      }
      actions={
        trash.data &&
        trash.data.total > 0 && (
          <Button
            variant="default"
            leftSection={<IconTrash size={16} />}
            loading={empty.isPending}
            onClick={() => empty.mutate(trash.data.size)}
          >
            Empty Trash
          </Button>
        )
      }
    >
      <Loaded
        query={trash}
        title="The deleted items could not be loaded"
        skeleton={<TableSkeleton rows={5} />}
      >
        {({ items, total, size }) =>
          total === 0 ? (
            <EmptyState
              icon={IconTrash}
              title="Nothing deleted recently"
              text={`Deleted files, releases and projects stay here for ${TRASH_DAYS} days.`}
            />
          ) : (
            <Stack gap="md">
              <TrashHead selection={selection} total={total} size={size} />
              <div>
                <TrashTable items={items} stale={trash.isPlaceholderData} selection={selection} />
                <Pager
                  page={listState.page}
                  pageSize={TRASH_PER_PAGE}
                  total={total}
                  onPage={(page) => change({ page })}
                />
              </div>
            </Stack>
          )
        }
      </Loaded>
    </Page>
  )
}
