import { useLoad } from '../../../lib/client/use-load'
import { useCall } from '../../../lib/client/use-call'
import { formatSize } from '../../../lib/texts/format'
import { queryKeys } from '../../../lib/client/query-keys'
import { useMyProjects } from '../../../lib/hooks/use-my-projects'
import { confirm } from '../../../ui/dialog/confirm'
import { fileIsOther } from '../transport/file-changed'
import {
  addressOf,
  keptOf,
  toOptions,
  unfinishedFor,
  type Unfinished,
} from '../transport/unfinished'
import { useUploads } from '../queue/use-uploads'

/** All resumable uploads of this person on the host, including those that this page sends. */
export function useUnfinishedList(): readonly Unfinished[] | undefined {
  const query = useLoad(
    queryKeys.uploads,
    async (client, signal) => (await client.uploads.list({}, signal)).uploads,
  )
  return query.data
}

export function useUnfinished() {
  const { uploads, queue } = useUploads()
  const projects = useMyProjects().data

  const sending = new Set(uploads.map(({ keptAt }) => keptAt))
  const unfinished = (useUnfinishedList() ?? []).filter((upload) => !sending.has(addressOf(upload)))

  const discarding = useCall(
    (client, { upload_id: id }: Unfinished) => client.uploads.discard({ id }),
    {
      ask: ({ filename, offset }) =>
        confirm({
          title: `Discard the upload of ${filename}`,
          message: `This deletes the ${formatSize(offset)} that are already on the host.`,
          confirmLabel: 'Discard',
          danger: true,
        }),
      done: 'Upload discarded',
      failed: 'Failed to discard the upload',
      refresh: [queryKeys.uploads],
    },
  )

  /** Resumes with a file and the original options. Throws ApiError if the file differs. */
  const resume = async (upload: Unfinished, file: File) => {
    if (!(await unfinishedFor(file, [upload]))) throw fileIsOther(upload)
    queue.add([file], toOptions(upload, projects ?? []), new Map([[file, keptOf(upload)]]))
  }

  return { unfinished, discard: discarding.mutate, resume }
}
