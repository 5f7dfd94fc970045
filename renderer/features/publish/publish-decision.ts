import type { Project, Release } from '../../../server/contract'
import type { Client } from '../../lib/client/api-client'
import { prepareRelease, type ReleaseWish } from '../uploads/form/prepare-release'
import type { UploadOptions } from '../uploads/upload'
import type { Target } from './sheet-target'

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

export async function createProject(client: Client, { title }: PublishValues, is_public: boolean): Promise<Project> {
  const fields = { title: title.trim(), short_description: '', description: '', is_public }
  return (await client.projects.create(fields)).project
}

interface Opening extends ReleaseWish {
  isPublic: boolean
  /** The newest of the project. */
  releases: readonly Release[] | undefined
}

/** Makes project and release as open as the files will be. */
export async function openProject(client: Client, project: Project, wish: Opening): Promise<void> {
  const { project_id: id, is_public } = project
  const release = wish.releases?.find(({ version }) => version === wish.version)
  if (wish.isPublic && !is_public) await client.projects.update({ id, is_public: true })
  if (wish.isPublic && release && release.state !== 'published') {
    await client.releases.publish({ id, version: release.version })
  }
  // Visitors of a public project would see an empty release.
  const isHidden = !wish.isPublic && is_public
  if (!release) await prepareRelease(client, id, { ...wish, isDraft: wish.isDraft || isHidden })
}

export function toUploadOptions(values: PublishValues, isPublic: boolean, project: Project | undefined): UploadOptions {
  if (!project) return { isPublic }
  const version = values.version.trim()
  const platform = values.platform.trim()
  return {
    isPublic,
    project: { id: project.project_id, title: project.title, isPublic: project.is_public || isPublic },
    ...(version !== '' && { version }),
    ...(platform !== '' && { platform }),
  }
}
