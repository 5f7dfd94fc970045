import { useRef } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { Project } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { useClient } from '../../lib/client/client-context'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useLoad } from '../../lib/client/use-load'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { useHost } from '../../lib/host/host'
import { useManagesHost } from '../../lib/session/use-manages-host'
import { useChangeSettings } from '../host-settings/use-host-settings'
import type { PublishRequest } from '../uploads/drop/publish-place'
import { commonPlatform, prepareRelease, useNewestReleases, type ReleaseWish } from '../uploads/form/prepare-release'
import { toOptions } from '../uploads/transport/unfinished'
import type { UploadOptions } from '../uploads/upload'
import { suggestTarget, titleOfFilename, type Target } from './sheet-target'
import type { SheetFile, useSheetFiles } from './use-sheet-files'

export interface PublishValues extends ReleaseWish {
  target: Target
  /** Of a new project. */
  title: string
  /** Who can open it: anyone with the link, else collaborators only. Undefined: as the target suggests. */
  isPublic: boolean | undefined
  shares: boolean
  platform: string
}

/** What the person decided, once the host knows it. */
export interface Decision {
  project?: Project
  isPublic: boolean
  version: string
}

export type PublishForm = ReturnType<typeof usePublishForm>

/** The form of the sheet. Its fields follow what the host reads in the package, until the person edits them. */
export function usePublishForm(
  { place }: PublishRequest,
  sheet: ReturnType<typeof useSheetFiles>,
  onDecided: (decision: Decision) => void,
) {
  const client = useClient()
  const cache = useQueryClient()
  const projects = useMyProjects().data?.filter(({ can }) => can.includes('link')) ?? []
  const change = useChangeSettings()
  const app = useApp(sheet.accepted)
  const { begun } = sheet
  const { reachable, version: hostVersion } = useHost()
  const canShare = useManagesHost() === true && hostVersion !== '' && !reachable
  const options = begun && toOptions(begun, projects)
  const [first] = sheet.accepted
  const saved: PublishValues = {
    target: suggestTarget({ place, projects, appId: app.appId, begun }),
    title: app.name ?? (first ? titleOfFilename(first.file.name) : ''),
    isPublic: options?.isPublic,
    shares: true,
    version: options?.version ?? place.version ?? '',
    platform: options?.platform ?? commonPlatform(sheet.accepted.map(({ file }) => file.name)),
    channel: '',
    isDraft: false,
  }
  const created = useRef<Project>(undefined)
  const form = useApiForm({
    saved,
    findMistakes: ({ target, title }) =>
      target === 'new' && title.trim() === '' ? { title: 'Give the project a title' } : {},
    send: async (values) => {
      const { target, shares } = values
      const isPublic = audience.isPublic
      if (isPublic && shares && canShare) await change.mutateAsync({ sharing: true })
      if (target === 'new') created.current ??= (await client.projects.create(toFields(values, isPublic))).project
      const project = target === 'new' ? created.current : projects.find(({ project_id }) => project_id === target)
      const version = values.version.trim() || app.version || ''
      if (project) await openProject(client, project, { ...values, version, isPublic, releases })
      // Several files are one release.
      const shared = { ...values, version: sheet.accepted.length > 1 ? version : values.version }
      sheet.release(toUploadOptions(shared, isPublic, project))
      void refresh(cache, queryKeys.projects.all)
      onDecided({ ...(project && { project }), isPublic, version })
    },
    failed: 'It could not be published',
  })
  const { target } = form.values
  const project = projects.find(({ project_id }) => project_id === target)
  const releases = useNewestReleases(project?.project_id)
  const state = releases?.find(({ version }) => version === (form.values.version.trim() || app.version))?.state
  // A draft stays one, unless the person says otherwise.
  const usual =
    target === 'new' || (project !== undefined && project.is_public && (state ?? 'published') === 'published')
  const isFixed = project !== undefined && !project.is_public && !project.can.includes('update')
  const audience = {
    isPublic: !isFixed && (form.values.isPublic ?? usual),
    /** A collaborator cannot open a project to everyone. */
    isFixed,
  }
  return { form, app, projects, project, audience, canShare, isAlone: hostVersion !== '' && !reachable }
}

/** What the package of the first file says, as far as the host has read it. */
function useApp(files: readonly SheetFile[]) {
  const stored = files.find(({ upload }) => upload?.stored?.facts)?.upload?.stored
  const { data } = useLoad(
    queryKeys.files.facts(stored?.file_id ?? ''),
    (client, signal) => client.files.facts({ id: stored?.file_id ?? '' }, signal),
    { enabled: stored !== undefined },
  )
  const versions = new Set(files.flatMap(({ upload }) => upload?.stored?.version ?? []))
  const [version] = versions.size === 1 ? versions : []
  return { name: data?.facts?.name, appId: stored?.facts?.app_id, version }
}

const toFields = ({ title }: PublishValues, is_public: boolean) => ({
  title: title.trim(),
  short_description: '',
  description: '',
  is_public,
})

interface Opening extends PublishValues {
  releases: ReturnType<typeof useNewestReleases>
}

/** Makes project and release as open as the files will be. */
async function openProject(client: Client, project: Project, wish: Opening): Promise<void> {
  const { project_id: id, is_public } = project
  const release = wish.releases?.find(({ version }) => version === wish.version)
  if (wish.isPublic && !is_public) await client.projects.update({ id, is_public: true })
  if (wish.isPublic && release && release.state !== 'published') {
    await client.releases.publish({ id, version: release.version })
  }
  // Visitors of a public project would see an empty release.
  const isHidden = wish.isPublic === false && is_public
  if (!release) await prepareRelease(client, id, { ...wish, isDraft: wish.isDraft || isHidden })
}

function toUploadOptions(values: PublishValues, isPublic: boolean, project: Project | undefined): UploadOptions {
  if (!project) return { isPublic }
  const [version, platform] = [values.version.trim(), values.platform.trim()]
  return {
    isPublic,
    project: { id: project.project_id, title: project.title, isPublic: project.is_public || isPublic },
    ...(version !== '' && { version }),
    ...(platform !== '' && { platform }),
  }
}
