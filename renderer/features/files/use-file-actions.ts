import type { File } from '../../../server/contract'
import { fileLists } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { messages } from '../../lib/texts/messages'
import { confirm } from '../../ui/dialog/confirm'
import { notifyUndo } from '../../ui/feedback/notify-undo'
import { askAboutFile } from './projects/delete-question'
import { showVisibility } from './shown-files'

/** Publishes, hides, deletes and restores one file. */
export function useFileActions() {
  const visibility = useCall(
    (client, change: { id: string; is_public: boolean }) => client.files.setVisibility(change),
    { show: showVisibility, failed: messages.file.visibilityFailed, refresh: fileLists },
  )

  const restoring = useCall((client, id: string) => client.trash.restore({ id }), {
    done: messages.file.restored,
    failed: 'Failed to restore file',
    refresh: fileLists,
  })

  const removal = useCall((client, { file_id: id }: File) => client.files.remove({ id }), {
    ask: (file) =>
      confirm({
        title: `Delete ${file.filename}`,
        message: askAboutFile(file),
        confirmLabel: 'Delete',
        danger: true,
      }),
    after: (_cache, _reply, { file_id }) =>
      notifyUndo(messages.file.deleted, () => restoring.mutate(file_id)),
    failed: 'Failed to delete file',
    refresh: fileLists,
  })

  return { setPublic: visibility.mutate, remove: removal.mutate }
}
