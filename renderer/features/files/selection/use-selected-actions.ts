import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { File } from '../../../../server/contract'
import { fileLists } from '../../../lib/client/query-keys'
import { useCall } from '../../../lib/client/use-call'
import { formatFiles } from '../../../lib/texts/format'
import { messages } from '../../../lib/texts/messages'
import { confirm } from '../../../ui/dialog/confirm'
import { notifyError, notifySuccess } from '../../../ui/feedback/notify'
import { notifyUndo } from '../../../ui/feedback/notify-undo'
import { eachFile, failuresText, namesOf, type Outcome, type Progress } from '../../../lib/client/each-file'
import { askAboutFile, askAboutFiles } from '../projects/delete-question'
import { showVisibility } from '../shown-files'
import type { Selection } from './use-selection'

/** Actions on the selected files. Failures are named and stay selected. */
export function useSelectedActions({ selected, set }: Selection) {
  const deselect = (files: readonly File[]) => set(files, false)
  const [progress, setProgress] = useState<Progress>()
  const visibility = useVisibility(deselect, setProgress)
  const removal = useRemoval(deselect, setProgress)
  // Not by disabled buttons: they would lose the focus.
  const isBusy = visibility.isPending || removal.isPending
  const remove = () => {
    if (!isBusy) removal.mutate(selected)
  }
  const setPublic = (isPublic: boolean) => {
    if (!isBusy) visibility.mutate({ files: selected, is_public: isPublic })
  }
  return { setPublic, remove, progress: isBusy ? progress : undefined }
}

type OnProgress = (progress: Progress) => void

interface VisibilityChange {
  files: readonly File[]
  is_public: boolean
}

/** Optimistic; reverts the files that the host refuses. */
function useVisibility(onDone: (files: readonly File[]) => void, onProgress: OnProgress) {
  const cache = useQueryClient()
  return useCall(
    async (client, { files, is_public }: VisibilityChange) => {
      const showing = files.map(({ file_id: id }) => showVisibility(cache, { id, is_public }))
      const rollBacks = new Map((await Promise.all(showing)).map((rollBack, index) => [files[index], rollBack]))
      const change = (file_ids: string[]) => client.files.setVisibilityOfMany({ file_ids, is_public })
      const outcome = await eachFile(files, change, onProgress)
      for (const { file } of outcome.failures) rollBacks.get(file)?.()
      return outcome
    },
    {
      after: (_cache, outcome, { is_public }, again) => {
        onDone(outcome.done)
        if (outcome.failures.length > 0)
          notifyError(failuresText('change visibility of', outcome), () =>
            again({ files: failedIn(outcome), is_public }),
          )
        else notifySuccess(`${formatFiles(outcome.done.length)} made ${is_public ? 'public' : 'private'}`)
      },
      refresh: fileLists,
    },
  )
}

function useRemoval(onDone: (files: readonly File[]) => void, onProgress: OnProgress) {
  const restoring = useRestoring()
  return useCall(
    (client, files: readonly File[]) =>
      eachFile(files, (file_ids) => client.files.removeMany({ file_ids }), onProgress),
    {
      ask: sureToDelete,
      after: (_cache, outcome, _files, again) => {
        const { done, failures } = outcome
        onDone(done)
        if (done.length === 0) return notifyError(failuresText('delete', outcome), () => again(failedIn(outcome)))
        const deleted = done.length === 1 ? messages.file.deleted : `${done.length} files deleted`
        const text = failures.length === 0 ? deleted : `${deleted}. ${failuresText('delete', outcome)}`
        notifyUndo(text, () => restoring.mutate(done), { stays: failures.length > 0 })
      },
      refresh: fileLists,
    },
  )
}

const useRestoring = () =>
  useCall(
    (client, files: readonly File[]) =>
      eachFile(
        files,
        (trash_ids) => client.trash.restoreMany({ trash_ids }),
        () => undefined,
      ),
    {
      after: (_cache, outcome, _files, again) => {
        const { length } = outcome.done
        if (outcome.failures.length > 0) notifyError(failuresText('restore', outcome), () => again(failedIn(outcome)))
        else notifySuccess(length === 1 ? messages.file.restored : `${length} files restored`)
      },
      refresh: fileLists,
    },
  )

const failedIn = ({ failures }: Outcome) => failures.map(({ file }) => file)

const sureToDelete = (files: readonly File[]): Promise<boolean> =>
  confirm({
    title: `Delete ${files.length === 1 ? namesOf(files) : formatFiles(files.length)}`,
    message: files.length === 1 && files[0] ? askAboutFile(files[0]) : askAboutFiles(files, namesOf(files)),
    confirmLabel: 'Delete',
    danger: true,
  })
