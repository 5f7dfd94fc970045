import { createHash } from 'node:crypto'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import type { PreviewPicture } from '../../http/pages/page-head'
import { CARD_SIZE } from '../../libraries/picture-maker/pictures'
import { toDrawable } from '../../texts/format'
import { projectPolicy } from '../projects/policy'
import { findPreviewPicture, findUpdate } from '../projects/presenter'
import { findNewestVersion } from './listing'
import { releaseAddress } from '../../texts/release-address'
import type { ProjectRecord } from '../../data/records/project-records'
import { fillRoute, routes } from '../../contract/routes'

const VISITOR = { kind: 'visitor' } as const

/** Who looks at a project (visitor, tester of a channel, team), and by which address. */
export interface Audience {
  project: ProjectRecord
  actor: Actor
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
export function enterProject(actor: Actor, project: ProjectRecord): Audience {
  const base = fillRoute(routes.publicProject, { slug: project.slug })
  return { project, actor, base, programBase: base, channel: 'stable' }
}

/** Enters a project by its public address. Throws `not_found` if the actor may not read it. */
export const publicAudience = (
  { projects }: Rooms<'projects'>,
  actor: Actor,
  idOrSlug: string,
): Audience =>
  enterProject(actor, projectPolicy.require(actor, 'read', projects.store.find(idOrSlug)))

/** Enters a project as a visitor. Returns undefined if visitors may not read it. */
export function findVisitorAudience(
  { projects: { store } }: Rooms<'projects'>,
  idOrSlug: string,
): Audience | undefined {
  const project = store.find(idOrSlug)
  return project && projectPolicy.can(VISITOR, 'read', project)
    ? enterProject(VISITOR, project)
    : undefined
}

const NOTHING = {
  ...{
    ownerId: '',
    title: '',
    shortDescription: '',
    description: '',
    createdAt: '',
    updatedAt: '',
  },
  isPublic: false,
  projectUrl: null,
  collaboratorIds: [],
}

/**
 * Enters what is left of a project that visitors could read once, without any of its releases.
 * Undefined: they never could, or still can.
 */
export function pastAudience({ projects }: Rooms<'projects'>, idOrSlug: string) {
  const past = projects.store.findPast(idOrSlug)
  if (!past) return undefined
  const { id, slug, pastChannels, pastNames } = past
  return enterProject(VISITOR, { ...NOTHING, id, slug, pastChannels, pastNames })
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
  deps: Rooms<'files' | 'projects'>,
  { project, actor, base }: Audience,
  version?: string,
): PreviewPicture | undefined {
  if (actor.kind === 'tester') return undefined
  if (toDrawable(project.title) === '') return findPreviewPicture(deps, project, actor)

  const newest = version ?? findNewestVersion(deps, project) ?? ''
  // The address changes with the picture, because other sites cache it by address.
  const changed = `${newest} ${findUpdate(deps, project, VISITOR)}`
  const v = createHash('sha256').update(changed).digest('hex').slice(0, 8)
  const query = new URLSearchParams({ ...(version !== undefined && { version }), v })

  return {
    path: `${base}/preview.png?${query}`,
    alt: `${project.title} ${newest}`.trim(),
    ...CARD_SIZE,
  }
}
