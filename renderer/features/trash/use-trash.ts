import { keepPreviousData } from '@tanstack/react-query'
import type { Trashed } from '../../../server/contract'
import { useLoad } from '../../lib/client/use-load'
import { messages } from '../../lib/texts/messages'
import { fileLists, queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { confirm } from '../../ui/dialog/confirm'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'
import { eachFile, failedFiles, failuresText, type Outcome } from '../../lib/client/each-file'
import { formatQuantity, formatSize } from '../../lib/texts/format'

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

  const emptying = useCall((client, _size: number) => client.trash.empty({}), {
    ask: (size) =>
      confirm({
        title: 'Empty Trash',
        message:
          `Everything in the Trash is deleted forever, which frees ${formatSize(size)}. ` +
          'This cannot be undone.',
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

/** What `eachFile` needs of an item. */
const nameItems = (items: readonly Trashed[]) =>
  items.map((item) => ({ file_id: item.trash_id, filename: item.name, item }))

/** Actions on the selected items. Failures are named and stay selected. */
export function useSelectedTrash(onDone: (items: readonly Trashed[]) => void) {
  const settle =
    (verb: 'restore' | 'delete', done: (count: number) => string) =>
    (
      _cache: unknown,
      outcome: Outcome<ReturnType<typeof nameItems>[number]>,
      _items: unknown,
      again: (items: readonly Trashed[]) => void,
    ) => {
      onDone(outcome.done.map(({ item }) => item))
      if (outcome.failures.length > 0)
        notifyError(failuresText(verb, outcome, 'item'), () =>
          again(failedFiles(outcome).map(({ item }) => item)),
        )
      else notifySuccess(done(outcome.done.length))
    }

  const restore = useCall(
    (client, items: readonly Trashed[]) =>
      eachFile(nameItems(items), (trash_ids) => client.trash.restoreMany({ trash_ids })),
    {
      after: settle('restore', (count) => `${formatQuantity(count, 'item')} restored`),
      refresh: [queryKeys.trash, ...fileLists],
    },
  )

  const erase = useCall(
    (client, items: readonly Trashed[]) =>
      eachFile(nameItems(items), (trash_ids) => client.trash.removeMany({ trash_ids })),
    {
      ask: (items) =>
        confirm({
          title: `Delete ${formatQuantity(items.length, 'item')} forever`,
          message: 'This cannot be undone.',
          confirmLabel: messages.trash.erase,
          danger: true,
        }),
      after: settle('delete', (count) => `${formatQuantity(count, 'item')} deleted forever`),
      refresh: [queryKeys.trash, queryKeys.storage],
    },
  )

  return { restore, erase }
}
