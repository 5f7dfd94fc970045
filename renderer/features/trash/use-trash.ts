import { keepPreviousData, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { Trashed } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { messages } from '../../lib/texts/messages'
import { queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'

export const TRASH_PER_PAGE = 50

export function useTrash(page: number) {
  const client = useClient()
  return useQuery({
    queryKey: [...queryKeys.trash, page],
    queryFn: ({ signal }) => client.trash.list({ limit: TRASH_PER_PAGE, offset: (page - 1) * TRASH_PER_PAGE }, signal),
    placeholderData: keepPreviousData,
  })
}

export function useTrashActions() {
  const client = useClient()
  const cache = useQueryClient()
  const restoring = useMutation({
    mutationFn: ({ trash_id }: Trashed) => client.trash.restore({ id: trash_id }),
    onSuccess: (_, { kind }) => notifySuccess(messages[kind].restored),
    onError: (cause, { kind }) => notifyError(failureText(cause, { failed: messages[kind].restoreFailed })),
    onSettled: () => refreshAll(cache),
  })
  const erasing = useMutation({
    mutationFn: ({ trash_id }: Trashed) => client.trash.remove({ id: trash_id }),
    onSuccess: () => notifySuccess(messages.trash.erased),
    onError: (cause) => notifyError(failureText(cause, { failed: messages.trash.eraseFailed })),
    onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.trash }),
  })
  const erase = async (item: Trashed) => {
    const { confirmErase, erase: label } = messages.trash
    const sure = await confirm({
      title: `Delete ${item.name} forever`,
      message: confirmErase,
      confirmLabel: label,
      danger: true,
    })
    if (sure) erasing.mutate(item)
  }
  return { restore: (item: Trashed) => restoring.mutate(item), erase }
}

async function refreshAll(cache: QueryClient): Promise<void> {
  const lists = [queryKeys.trash, queryKeys.files.all, queryKeys.projects.all, queryKeys.builds.all, queryKeys.storage]
  await Promise.all(lists.map((queryKey) => cache.invalidateQueries({ queryKey })))
}
