import { notifyError, notifySuccess } from '../../ui/feedback/notify'
import { notifyUndo } from '../../ui/feedback/notify-undo'
import {
  eachFile,
  failedFiles,
  failuresText,
  type NamedFile,
  type Progress,
} from '../client/each-file'
import { fileLists } from '../client/query-keys'
import { useCall } from '../client/use-call'
import { messages } from '../texts/messages'

interface TrashOptions<Item> {
  ask?: (files: readonly Item[]) => Promise<boolean>
  onProgress?: (progress: Progress) => void
  onDone?: (files: readonly Item[]) => void
  /** Begins each message. */
  intro?: string
  /** Text for a count of files. */
  done: (count: number) => string
}

/** Moves files to the trash, and offers Undo. Names the files that fail, and offers Retry. */
export function useTrashFiles<Item extends NamedFile>(options: TrashOptions<Item>) {
  const { ask, onProgress, onDone, intro = '', done: textFor } = options
  const restoring = useRestoring()

  return useCall(
    (client, files: readonly Item[]) =>
      eachFile(files, (file_ids) => client.files.removeMany({ file_ids }), onProgress),
    {
      ...(ask && { ask }),
      after: (_cache, outcome, _files, again) => {
        const { done, failures } = outcome
        onDone?.(done)
        const failure = failuresText('delete', outcome)
        if (done.length === 0)
          return notifyError(`${intro}${failure}`, () => again(failedFiles(outcome)))
        const text =
          failures.length === 0 ? textFor(done.length) : `${textFor(done.length)}. ${failure}`
        notifyUndo(`${intro}${text}`, () => restoring.mutate(done), { stays: failures.length > 0 })
      },
      refresh: fileLists,
    },
  )
}

const useRestoring = () =>
  useCall(
    (client, files: readonly NamedFile[]) =>
      eachFile(files, (trash_ids) => client.trash.restoreMany({ trash_ids })),
    {
      after: (_cache, outcome, _files, again) => {
        const { length } = outcome.done
        if (outcome.failures.length > 0)
          notifyError(failuresText('restore', outcome), () => again(failedFiles(outcome)))
        else notifySuccess(length === 1 ? messages.file.restored : `${length} files restored`)
      },
      refresh: fileLists,
    },
  )
