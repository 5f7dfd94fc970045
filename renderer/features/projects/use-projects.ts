import { useNavigate } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { useLoad } from '../../lib/client/use-load'
import { useCall } from '../../lib/client/use-call'
import { queryKeys } from '../../lib/client/query-keys'
import { paths } from '../../paths'
import { confirm } from '../../ui/dialog/confirm'
import { notifyUndo } from '../../ui/feedback/notify-undo'
import { toFormValues, type ProjectFields } from './project-values'

export const useProject = (id: string) =>
  useLoad(
    queryKeys.projects.one(id),
    async (client, signal) => (await client.projects.byId({ id }, signal)).project,
  )

export function useCreateProject() {
  const navigate = useNavigate()
  const { mutateAsync } = useCall(
    (client, fields: ProjectFields) => client.projects.create(fields),
    {
      after: async (cache, { project }) => {
        cache.setQueryData(queryKeys.projects.one(project.project_id), project)
        await navigate(paths.project(project.project_id))
      },
      done: 'Project created successfully!',
      refresh: [queryKeys.projects.all],
    },
  )

  return async ({ project_url: _, ...fields }: ProjectFields): Promise<void> =>
    void (await mutateAsync(fields))
}

export function useUpdateProject(id: string) {
  const { mutateAsync } = useCall(
    (client, fields: ProjectFields) => client.projects.update({ id, ...fields }),
    {
      after: (cache, { project }) => cache.setQueryData(queryKeys.projects.one(id), project),
      done: 'Project updated successfully!',
      refresh: [queryKeys.projects.all],
    },
  )
  return async (fields: ProjectFields) => toFormValues((await mutateAsync(fields)).project)
}

/** Asks, then deletes a project and leaves its page. Its files stay. */
export function useDeleteProject() {
  const navigate = useNavigate()
  const restoring = useCall((client, id: string) => client.trash.restore({ id }), {
    done: 'Project restored',
    failed: 'Failed to restore project',
    refresh: [queryKeys.projects.all],
  })

  return useCall((client, { project_id: id }: Project) => client.projects.remove({ id }), {
    ask: ({ title }) =>
      confirm({
        title: `Delete ${title}`,
        message: 'Are you sure you want to delete this project? Its files will not be deleted.',
        confirmLabel: 'Delete project',
        danger: true,
      }),
    after: async (cache, _reply, { project_id: id }) => {
      await navigate(paths.projects)
      cache.removeQueries({ queryKey: queryKeys.projects.one(id) })
      notifyUndo('Project deleted', () => restoring.mutate(id))
    },
    failed: 'Failed to delete project',
    refresh: [queryKeys.projects.all],
  }).mutate
}
