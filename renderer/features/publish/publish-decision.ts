import { useRef } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import type { Project, Release } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { useClient } from '../../lib/client/client-context'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useChangeSettings } from '../../lib/host/host-settings'
import { prepareRelease, type ReleaseWish } from '../uploads/form/prepare-release'
import type { UploadOptions } from '../uploads/upload'
import type { useSheetFiles } from './use-sheet-files'

/** Where the files go: `new` project, `none`, or the id of a project. */
export type Target = string

export interface PublishValues extends ReleaseWish {
  target: Target
  /** Of a new project. */
  title: string
  /** The end of the address of a new project; empty: from the title. */
  slug: string
  /**
   * Visibility: anyone with the link, else collaborators only. Undefined: the default of the
   * target.
   */
  isPublic: boolean | undefined
  shares: boolean
  platform: string
}

/** The decision, once the host has saved it. */
export interface Decision {
  project?: Project
  isPublic: boolean
  /** Whether the files are in a release that only members of the project see. */
  isDraft: boolean
  version: string
}

async function createProject(
  client: Client,
  { title, slug: typed }: PublishValues,
  is_public: boolean,
): Promise<Project> {
  const slug = typed.trim().toLowerCase()
  const fields = { title: title.trim(), short_description: '', description: '', is_public }
  return (await client.projects.create({ ...fields, ...(slug !== '' && { slug }) })).project
}

interface Opening extends ReleaseWish {
  isPublic: boolean
  /** The newest of the project. */
  releases: readonly Release[] | undefined
}

/**
 * Makes project and release as open as the files will be. Returns whether the release is a draft.
 */
async function openProject(client: Client, project: Project, wish: Opening): Promise<boolean> {
  const { project_id: id, is_public } = project
  const release = wish.releases?.find(({ version }) => version === wish.version)
  if (wish.isPublic && !is_public) await client.projects.update({ id, is_public: true })
  if (wish.isPublic && release && release.state !== 'published') {
    await client.releases.publish({ id, version: release.version })
  }
  if (release) return release.state === 'draft' && !wish.isPublic

  // Visitors of a public project would see an empty release.
  const isHidden = !wish.isPublic && is_public
  const isDraft = wish.version !== '' && (wish.isDraft || isHidden)
  await prepareRelease(client, id, { ...wish, isDraft })

  return isDraft
}

function toUploadOptions(
  values: PublishValues,
  isPublic: boolean,
  project: Project | undefined,
): UploadOptions {
  if (!project) return { isPublic }

  const version = values.version.trim()
  const platform = values.platform.trim()

  return {
    isPublic,
    project: {
      id: project.project_id,
      title: project.title,
      isPublic: project.is_public || isPublic,
    },
    ...(version !== '' && { version }),
    ...(platform !== '' && { platform }),
  }
}

interface Wish {
  values: PublishValues
  audience: Pick<Opening, 'isPublic' | 'releases'>
  /** Whether to share the host on its network. */
  shares: boolean
  project: Project | undefined
  packageVersion: string
}

/** Saves the decision on the host. After a failure, a retry continues. */
export function usePublish(sheet: Pick<ReturnType<typeof useSheetFiles>, 'release'>) {
  const client = useClient()
  const cache = useQueryClient()
  const change = useChangeSettings()
  const created = useRef<Project>(undefined)

  return async ({
    values,
    audience,
    shares,
    project: chosen,
    packageVersion,
  }: Wish): Promise<Decision> => {
    const { isPublic, releases } = audience
    if (isPublic && shares) await change.mutateAsync({ sharing: true })
    if (values.target === 'new') created.current ??= await createProject(client, values, isPublic)
    const project = values.target === 'new' ? created.current : chosen
    const version = values.version.trim() || packageVersion
    const isDraft = project
      ? await openProject(client, project, { ...values, version, isPublic, releases })
      : false
    sheet.release(toUploadOptions({ ...values, version }, isPublic, project))
    void refresh(cache, queryKeys.projects.all)

    return { ...(project && { project }), isPublic, isDraft, version }
  }
}
