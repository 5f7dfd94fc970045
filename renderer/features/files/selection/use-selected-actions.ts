import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { File } from '../../../../server/contract'
import { fileLists } from '../../../lib/client/query-keys'
import { useCall } from '../../../lib/client/use-call'
import { useTrashFiles } from '../../../lib/hooks/use-trash-files'
import { formatFiles } from '../../../lib/texts/format'
import { messages } from '../../../lib/texts/messages'
import { confirm } from '../../../ui/dialog/confirm'
import { notifyError, notifySuccess } from '../../../ui/feedback/notify'
import type { Selection } from '../../../ui/table/use-selection'
import {
  eachFile,
  failedFiles,
  failuresText,
  namesOf,
  type Progress,
} from '../../../lib/client/each-file'
import { askAboutFile, askAboutFiles } from '../projects/delete-question'
import { showVisibility } from '../shown-files'

/** Actions on the selected files. Failures are named and stay selected. */
export function useSelectedActions({ selected, set }: Selection<File>) {
  const deselect = (files: readonly File[]) => set(files, false)
  const [progress, setProgress] = useState<Progress>()
  const visibility = useVisibility(deselect, setProgress)
  const removal = useTrashFiles<File>({
    ask: sureToDelete,
    onProgress: setProgress,
    onDone: deselect,
    done: (count) => (count === 1 ? messages.file.deleted : `${count} files deleted`),
  })

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
      const rollBacks = new Map(
        (await Promise.all(showing)).map((rollBack, index) => [files[index], rollBack]),
      )
      const change = (file_ids: string[]) =>
        client.files.setVisibilityOfMany({ file_ids, is_public })
      const outcome = await eachFile(files, change, onProgress)
      for (const { file } of outcome.failures) rollBacks.get(file)?.()
      return outcome
    },
    {
      after: (_cache, outcome, { is_public }, again) => {
        onDone(outcome.done)
        if (outcome.failures.length > 0)
          notifyError(failuresText('change visibility of', outcome), () =>
            again({ files: failedFiles(outcome), is_public }),
          )
        else
          notifySuccess(
            `${formatFiles(outcome.done.length)} made ${is_public ? 'public' : 'private'}`,
          )
      },
      refresh: fileLists,
    },
  )
}

const sureToDelete = (files: readonly File[]): Promise<boolean> =>
  confirm({
    title: `Delete ${files.length === 1 ? namesOf(files) : formatFiles(files.length)}`,
    message:
      files.length === 1 && files[0]
        ? askAboutFile(files[0])
        : askAboutFiles(files, namesOf(files)),
    confirmLabel: 'Delete',
    danger: true,
  })
