import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useClient } from '../../../lib/client/client-context'
import { failureText } from '../../../lib/client/failure'
import { formatSize } from '../../../lib/texts/format'
import { messages } from '../../../lib/texts/messages'
import { queryKeys } from '../../../lib/client/query-keys'
import { useMyProjects } from '../../../lib/hooks/use-my-projects'
import { confirm } from '../../../ui/dialog/confirm'
import { notifyError, notifySuccess } from '../../../ui/feedback/notify'
import { fileIsOther } from '../transport/file-changed'
import { addressOf, keptOf, optionsOf, unfinishedFor, type Unfinished } from '../transport/unfinished'
import { useUploads } from '../queue/use-uploads'

/** All resumable uploads of this person on the host, including those that this page sends. */
export function useUnfinishedList(): readonly Unfinished[] | undefined {
  const client = useClient()
  const query = useQuery({
    queryKey: queryKeys.uploads,
    queryFn: async ({ signal }) => (await client.uploads.list({}, signal)).uploads,
  })
  return query.data
}

export function useUnfinished() {
  const client = useClient()
  const cache = useQueryClient()
  const { uploads, queue } = useUploads()
  const projects = useMyProjects().data
  const sending = new Set(uploads.map(({ keptAt }) => keptAt))
  const unfinished = (useUnfinishedList() ?? []).filter((upload) => !sending.has(addressOf(upload)))

  const discarding = useMutation({
    mutationFn: ({ upload_id }: Unfinished) => client.uploads.discard({ id: upload_id }),
    onSuccess: () => notifySuccess(messages.upload.discarded),
    onError: (cause) => notifyError(failureText(cause, { failed: messages.upload.discardFailed })),
    onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.uploads }),
  })
  const discard = async (upload: Unfinished) => {
    const sure = await confirm({
      title: `Discard the upload of ${upload.filename}`,
      message: messages.upload.confirmDiscard(formatSize(upload.offset)),
      confirmLabel: 'Discard',
      danger: true,
    })
    if (sure) discarding.mutate(upload)
  }
  /** Resumes with a file and the original options. Throws ApiError if the file differs. */
  const resume = async (upload: Unfinished, file: File) => {
    if (!(await unfinishedFor(file, [upload]))) throw fileIsOther(upload)
    queue.add([file], optionsOf(upload, projects ?? []), new Map([[file, keptOf(upload)]]))
  }
  return { unfinished, discard, resume }
}
