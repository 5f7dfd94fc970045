import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { File } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { messages } from '../../lib/texts/messages'
import { confirm } from '../../ui/dialog/confirm'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'
import { notifyUndo } from '../../ui/feedback/notify-undo'
import { refreshAfterChange, showVisibility } from './shown-files'

export function useFileActions() {
  const client = useClient()
  const cache = useQueryClient()

  const visibility = useMutation({
    mutationFn: (change: { id: string; is_public: boolean }) => client.files.setVisibility(change),
    onMutate: (change) => showVisibility(cache, change),
    onError: (cause, _change, rollBack) => {
      rollBack?.()
      notifyError(failureText(cause, { failed: messages.file.visibilityFailed }))
    },
    onSettled: () => refreshAfterChange(cache),
  })
  const restoring = useMutation({
    mutationFn: (id: string) => client.trash.restore({ id }),
    onSuccess: () => notifySuccess(messages.file.restored),
    onError: (cause) => notifyError(failureText(cause, { failed: messages.file.restoreFailed })),
    onSettled: () => refreshAfterChange(cache),
  })
  const removal = useMutation({
    mutationFn: (id: string) => client.files.remove({ id }),
    onSuccess: (_, id) => {
      notifyUndo(messages.file.deleted, () => restoring.mutate(id))
      return refreshAfterChange(cache)
    },
    onError: (cause) => notifyError(failureText(cause, { failed: messages.file.deleteFailed })),
  })

  const remove = async ({ file_id, filename }: Pick<File, 'file_id' | 'filename'>) => {
    const sure = await confirm({
      title: `Delete ${filename}`,
      message: messages.file.confirmDelete,
      confirmLabel: 'Delete',
      danger: true,
    })
    if (sure) removal.mutate(file_id)
  }
  const setPublic = (id: string, isPublic: boolean) => visibility.mutate({ id, is_public: isPublic })
  return { setPublic, remove, removing: removal.isPending ? removal.variables : undefined }
}
