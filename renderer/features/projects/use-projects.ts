import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { failureText } from '../../lib/client/failure'
import { messages } from '../../lib/texts/messages'
import { queryKeys } from '../../lib/client/query-keys'
import { useLongList } from '../../lib/hooks/use-long-list'
import { paths } from '../../paths'
import { CARDS_AT_ONCE } from '../../ui/table/card-grid'
import { confirm } from '../../ui/dialog/confirm'
import { notifyError, notifySuccess } from '../../ui/feedback/notify'
import { notifyUndo } from '../../ui/feedback/notify-undo'
import { toFormValues, type ProjectFields, type ProjectValues } from './use-project-form'

export function useProjectPages() {
  const client = useClient()
  return useLongList({
    queryKey: queryKeys.projects.mine.pages,
    limit: CARDS_AT_ONCE,
    load: async (page, signal) => {
      const { projects, total } = await client.projects.mine(page, signal)
      return { items: projects, total }
    },
    idOf: ({ project_id }) => project_id,
  })
}

export function useProject(id: string) {
  const client = useClient()
  return useQuery({
    queryKey: queryKeys.projects.one(id),
    queryFn: async ({ signal }) => (await client.projects.byId({ id }, signal)).project,
  })
}

export function useCreateProject() {
  const client = useClient()
  const cache = useQueryClient()
  const navigate = useNavigate()
  return async ({ title, short_description, description, is_public }: ProjectFields) => {
    const { project } = await client.projects.create({ title, short_description, description, is_public })
    cache.setQueryData(queryKeys.projects.one(project.project_id), project)
    void cache.invalidateQueries({ queryKey: queryKeys.projects.all, refetchType: 'none' })
    notifySuccess(messages.project.created)
    await navigate(paths.project(project.project_id))
  }
}

export function useUpdateProject(id: string) {
  const client = useClient()
  const cache = useQueryClient()
  return async (fields: ProjectFields): Promise<ProjectValues> => {
    const { project } = await client.projects.update({ id, ...fields })
    cache.setQueryData(queryKeys.projects.one(id), project)
    void cache.invalidateQueries({ queryKey: queryKeys.projects.all })
    notifySuccess(messages.project.updated)
    return toFormValues(project)
  }
}

/** Asks, then deletes a project and leaves its page. Its files stay. */
export function useDeleteProject() {
  const client = useClient()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const restoring = useMutation({
    mutationFn: (id: string) => client.trash.restore({ id }),
    onSuccess: () => notifySuccess(messages.project.restored),
    onError: (cause) => notifyError(failureText(cause, { failed: messages.project.restoreFailed })),
    onSettled: () => cache.invalidateQueries({ queryKey: queryKeys.projects.all }),
  })
  const removal = useMutation({
    mutationFn: (id: string) => client.projects.remove({ id }),
    onSuccess: async (_, id) => {
      await navigate(paths.projects)
      cache.removeQueries({ queryKey: queryKeys.projects.one(id) })
      notifyUndo(messages.project.deleted, () => restoring.mutate(id))
      await cache.invalidateQueries({ queryKey: queryKeys.projects.all })
    },
    onError: (cause) => notifyError(failureText(cause, { failed: messages.project.deleteFailed })),
  })
  return async ({ project_id, title }: Pick<Project, 'project_id' | 'title'>) => {
    const sure = await confirm({
      title: `Delete ${title}`,
      message: messages.project.confirmDelete,
      confirmLabel: 'Delete project',
      danger: true,
    })
    if (sure) removal.mutate(project_id)
  }
}
