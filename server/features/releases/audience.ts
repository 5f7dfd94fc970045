import { sha256Of } from '../../core/sha256'
import { VISITOR, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import type { PreviewPicture } from '../../http/pages/page-head'
import { CARD_SIZE } from '../../libraries/picture-maker/pictures'
import { toDrawable } from '../../texts/format'
import { projectPolicy } from '../projects/policy'
import { findPreviewPicture, findUpdate } from '../projects/presenter'
import { ProjectView } from '../projects/project-view'
import { releaseAddress } from '../../texts/release-address'
import type { ProjectRecord } from '../../data/records/project-records'
import { fillRoute, routes } from '../../contract/routes'

type Deps = Rooms<'files' | 'projects'>

/** Who looks at a project (visitor, tester of a channel, team), and by which address. */
export interface Audience {
  project: ProjectRecord
  actor: Actor
  /** What they see of it. */
  view: ProjectView
  /** The base path of pages and files: `/p/rocket`, or `/t/` and the token of a tester link. */
  base: string
  /**
   * Replaces `base` in addresses for programs, which cannot enter a password: contains a key if one
   * is needed.
   */
  programBase: string
  /** The channel of `latest`, unless the caller asks for another one. */
  channel: string
  /** Signed addresses become invalid when this changes: the password hash of a tester link. */
  seal?: string | null
}

/** Enters a project by its public address, for an actor that may read it. */
export function enterProject(context: Deps, actor: Actor, project: ProjectRecord): Audience {
  const view = new ProjectView(context, project, actor)
  const base = fillRoute(routes.publicProject, { slug: project.slug })
  return { project, actor, view, base, programBase: base, channel: 'stable' }
}

/** Enters a project by its public address. Throws `not_found` if the actor may not read it. */
export const publicAudience = (context: Deps, actor: Actor, idOrSlug: string): Audience => {
  const project = context.projects.store.find(idOrSlug)
  return enterProject(context, actor, projectPolicy.require(actor, 'read', project))
}

/** Enters a project as a visitor. Returns undefined if visitors may not read it. */
export function findVisitorAudience(context: Deps, idOrSlug: string): Audience | undefined {
  const project = context.projects.store.find(idOrSlug)
  return project && projectPolicy.can(VISITOR, 'read', project)
    ? enterProject(context, VISITOR, project)
    : undefined
}

/** The project whose counts a download for an audience belongs to. Previews are outside of them. */
export const countedFor = ({ actor, project }: Pick<Audience, 'actor' | 'project'>) =>
  actor.kind === 'tester' && actor.isPreview ? undefined : project.id

const NOTHING = {
  ownerId: '',
  title: '',
  shortDescription: '',
  description: '',
  createdAt: '',
  updatedAt: '',
  isPublic: false,
  projectUrl: null,
  collaboratorIds: [],
}

/**
 * Enters what is left of a project that visitors could read once, without any of its releases.
 * Returns undefined if they never could, or still can.
 */
export function pastAudience(context: Deps, idOrSlug: string) {
  const past = context.projects.store.findPast(idOrSlug)
  if (!past) return undefined
  const { id, slug, pastChannels, pastNames } = past
  return enterProject(context, VISITOR, { ...NOTHING, id, slug, pastChannels, pastNames })
}

/** Returns the path of a file of a release, or of the release's page. */
export const buildReleasePath = (
  { base }: Audience,
  { version }: { version: string },
  file?: { filename: string },
) => releaseAddress(base, version, file?.filename)

/**
 * Presents the preview picture of a public project or one of its releases. Tester links have none.
 */
export function presentPreview(
  { project, actor, view, base }: Audience,
  version?: string,
): PreviewPicture | undefined {
  if (actor.kind === 'tester') return undefined
  if (toDrawable(project.title) === '') return findPreviewPicture(view)

  const newest = version ?? view.visitors.findNewestVersion() ?? ''
  // The address changes with the picture, because other sites cache it by address.
  const changed = `${newest} ${findUpdate(view.visitors)}`
  const v = sha256Of(changed, 'hex').slice(0, 8)
  const query = new URLSearchParams({ ...(version !== undefined && { version }), v })

  return {
    path: `${base}/preview.png?${query}`,
    alt: `${project.title} ${newest}`.trim(),
    ...CARD_SIZE,
  }
}
