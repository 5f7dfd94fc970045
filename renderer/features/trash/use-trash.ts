import { keepPreviousData } from '@tanstack/react-query'
import type { Trashed } from '../../../server/contract'
import { useLoad } from '../../lib/client/use-load'
import { messages } from '../../lib/texts/messages'
import { fileLists, queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { confirm } from '../../ui/dialog/confirm'

export const TRASH_PER_PAGE = 50

const NAMES: Record<Trashed['kind'], string> = {
  file: 'File',
  project: 'Project',
  picture: 'Picture',
  release: 'Release',
}

export const useTrash = (page: number) =>
  useLoad(
    [...queryKeys.trash, page],
    (client, signal) =>
      client.trash.list({ limit: TRASH_PER_PAGE, offset: (page - 1) * TRASH_PER_PAGE }, signal),
    { placeholderData: keepPreviousData },
  )

export function useTrashActions() {
  const restoring = useCall((client, { trash_id: id }: Trashed) => client.trash.restore({ id }), {
    done: (_reply, { kind }) => `${NAMES[kind]} restored`,
    failed: ({ kind }) => `Failed to restore ${kind}`,
    refresh: [queryKeys.trash, ...fileLists],
  })

  const erasing = useCall((client, { trash_id: id }: Trashed) => client.trash.remove({ id }), {
    ask: ({ name }) =>
      confirm({
        title: `Delete ${name} forever`,
        message: 'This cannot be undone.',
        confirmLabel: messages.trash.erase,
        danger: true,
      }),
    done: 'Deleted forever',
    failed: 'Failed to delete forever',
    refresh: [queryKeys.trash, queryKeys.storage],
  })

  const emptying = useCall((client) => client.trash.empty({}), {
    ask: () =>
      confirm({
        title: 'Empty Trash',
        message: 'Everything in the Trash is deleted forever. This cannot be undone.',
        confirmLabel: 'Empty Trash',
        danger: true,
      }),
    done: 'Trash emptied',
    failed: 'Failed to empty the Trash',
    refresh: [queryKeys.trash, queryKeys.storage],
  })

  const restore = (item: Trashed) => {
    if (!restoring.isPending || restoring.variables.trash_id !== item.trash_id)
      restoring.mutate(item)
  }

  return { restore, erase: erasing.mutate, empty: emptying }
}
