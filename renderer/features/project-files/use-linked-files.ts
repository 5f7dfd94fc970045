import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { LinkedFile, Project } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { messages } from '../../lib/texts/messages'
import { queryKeys } from '../../lib/client/query-keys'
import { confirm } from '../../ui/dialog/confirm'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'

export function useLinkedFiles({ project_id }: Pick<Project, 'project_id'>) {
  const client = useClient()
  const cache = useQueryClient()

  const publishing = useMutation({
    mutationFn: (id: string) => client.files.setVisibility({ id, is_public: true }),
    onMutate: (id) => showPublic(cache, id),
    onError: (cause, _id, rollBack) => {
      rollBack?.()
      notifyError(failureText(cause, { failed: messages.file.visibilityFailed }))
    },
    onSettled: () => refreshProjects(cache),
  })
  const unlinking = useMutation({
    mutationFn: (fileId: string) => client.projects.unlink({ id: project_id, downloadId: fileId }),
    onSuccess: () => {
      notifySuccess(messages.project.fileRemoved)
      return refreshProjects(cache)
    },
    onError: (cause) => notifyError(failureText(cause, { failed: messages.project.removeFileFailed })),
  })

  const unlink = async ({ file_id, filename }: LinkedFile) => {
    const sure = await confirm({
      title: `Remove ${filename}`,
      message: messages.project.confirmRemoveFile,
      confirmLabel: 'Remove',
      danger: true,
    })
    if (sure) unlinking.mutate(file_id)
  }
  return { publish: (file: LinkedFile) => publishing.mutate(file.file_id), unlink }
}

/** Shows a file as public before the host confirms. Returns the undo. */
async function showPublic(cache: QueryClient, fileId: string) {
  const opened = { queryKey: queryKeys.projects.one('').slice(0, 2) }
  await cache.cancelQueries(opened)
  const before = cache.getQueriesData<Project>(opened)
  const changed = (file: LinkedFile) => (file.file_id === fileId ? { ...file, is_public: true } : file)
  cache.setQueriesData<Project>(
    opened,
    (project) => project && { ...project, downloads: project.downloads.map(changed) },
  )
  return () => before.forEach(([key, project]) => cache.setQueryData(key, project))
}

export async function refreshProjects(cache: QueryClient): Promise<void> {
  const lists = [queryKeys.projects.all, queryKeys.files.all, queryKeys.builds.all]
  await Promise.all(lists.map((queryKey) => cache.invalidateQueries({ queryKey })))
}
