import { useRef } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { Project } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { useChangeSettings } from '../host-settings/use-host-settings'
import { createProject, openProject, toUploadOptions, type Decision, type PublishValues } from './publish-decision'
import { suggestValues } from './suggest-values'
import { useAudience } from './use-audience'
import { usePackage } from './use-package'
import type { useSheetFiles } from './use-sheet-files'
import { useReach } from './use-reach'
import type { PublishRequest } from '../uploads/drop/drop-place'

export type PublishForm = ReturnType<typeof usePublishForm>
type Sheet = ReturnType<typeof useSheetFiles>

/** The form of the sheet. Its fields follow what the host reads in the package, until the person edits them. */
export function usePublishForm({ place }: PublishRequest, sheet: Sheet, onDecided: (decision: Decision) => void) {
  const projects = useMyProjects().data?.filter(({ can }) => can.includes('link')) ?? []
  const app = usePackage(sheet.accepted)
  const reach = useReach()
  const publish = usePublish(sheet)
  const form = useApiForm({
    saved: suggestValues({ place, sheet, projects, app }),
    findMistakes: ({ target, title }) =>
      target === 'new' && title.trim() === '' ? { title: 'Give the project a title' } : {},
    send: async (values) => {
      const shares = values.shares && reach.canShare
      onDecided(await publish({ values, audience, shares, project, packageVersion: app.version ?? '' }))
    },
    failed: 'It could not be published',
  })
  const project = projects.find(({ project_id }) => project_id === form.values.target)
  const audience = useAudience(form.values, project, app.version)
  return { form, app, projects, project, audience, reach }
}

interface Wish {
  values: PublishValues
  audience: ReturnType<typeof useAudience>
  /** Whether to share the host on its network. */
  shares: boolean
  project: Project | undefined
  packageVersion: string
}

/** Tells the host what the person decided. After a failure, a second try continues. */
function usePublish(sheet: Sheet) {
  const client = useClient()
  const cache = useQueryClient()
  const change = useChangeSettings()
  const created = useRef<Project>(undefined)
  return async ({ values, audience, shares, project: chosen, packageVersion }: Wish): Promise<Decision> => {
    const { isPublic, releases } = audience
    if (isPublic && shares) await change.mutateAsync({ sharing: true })
    if (values.target === 'new') created.current ??= await createProject(client, values, isPublic)
    const project = values.target === 'new' ? created.current : chosen
    const version = values.version.trim() || packageVersion
    if (project) await openProject(client, project, { ...values, version, isPublic, releases })
    sheet.release(toUploadOptions({ ...values, version }, isPublic, project))
    void refresh(cache, queryKeys.projects.all)
    return { ...(project && { project }), isPublic, version }
  }
}
