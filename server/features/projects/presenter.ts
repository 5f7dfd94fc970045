import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import {
  LISTED_PROJECT,
  platformOfPackage,
  platformsOf,
  picturePath,
  type LinkedFile,
  type Picture,
  type Project,
  type ProjectPictures,
} from '../../contract'
import { fillRoute, routes } from '../../contract/routes'
import { offering } from './offering'
import { projectPolicy, resolveRole } from './policy'
import type { FileRecord, PackageSummary } from '../../data/records/file-records'
import type { LinkRecord, PictureRecord, ProjectRecord } from '../../data/records/project-records'

/** Maximum extent in a reply: characters of the description, and linked files. */
type Extent = typeof LISTED_PROJECT

const WHOLE: Extent = { description: Infinity, files: Infinity }
/** Platforms and the icon come from this many of the newest files. */
const LOOKED_AT = 50

/** Presents a project with the linked files that the actor may see, newest first. */
export const presentProject = (
  deps: Rooms<'accounts' | 'files' | 'projects'>,
  project: ProjectRecord,
  actor: Actor,
): Project => present(deps, project, actor, WHOLE)

/**
 * Presents a project for the page that the server writes: its files come with the view of its releases. `base`: see
 * `Entrance`.
 */
export const presentProjectPage = (
  deps: Rooms<'accounts' | 'files' | 'projects'>,
  project: ProjectRecord,
  actor: Actor,
  base: string,
): Project => ({
  ...present(deps, project, actor, { description: Infinity, files: 0 }),
  pictures: presentPictures(project, base),
})

/** Presents a project in a list, bounded so that any page is a small reply. */
export const presentListedProject = (
  deps: Rooms<'accounts' | 'files' | 'projects'>,
  project: ProjectRecord,
  actor: Actor,
): Project => {
  const whole = present(deps, project, actor, LISTED_PROJECT)
  return { ...whole, pictures: { ...whole.pictures, screenshots: [] } }
}

function present(
  deps: Rooms<'accounts' | 'files' | 'projects'>,
  project: ProjectRecord,
  actor: Actor,
  extent: Extent,
): Project {
  const { users } = deps.accounts
  const { store: projects } = deps.projects
  const { counts } = deps.files
  const links = linksSeen(deps, project, actor)
  const newest = links.slice(0, LOOKED_AT)
  return {
    project_id: project.id,
    slug: project.slug,
    title: project.title,
    short_description: project.shortDescription,
    summary: projects.summaryOf(project),
    description: beginning(project.description, extent.description),
    is_public: project.isPublic,
    project_url: project.projectUrl,
    owner: users.nameOf(project.ownerId),
    created_at: project.createdAt,
    updated_at: projects.updatedAt(project),
    stats: { total_downloads: counts.downloadsOfProject(project.id), views: counts.viewsOfProject(project.id) },
    downloads: links.slice(0, extent.files).flatMap((link) => presentLink(deps, project, link, actor) ?? []),
    total_files: links.length,
    platforms: platformsOf(published(deps, newest)),
    icon_url: findIconUrl(deps, newest, actor),
    pictures: presentPictures(project),
    role: resolveRole(actor, project),
    can: projectPolicy.abilities(actor, project),
  }
}

/** The links to files that the actor may see, newest first. */
function linksSeen(deps: Rooms<'files' | 'projects'>, project: ProjectRecord, actor: Actor): readonly LinkRecord[] {
  const fileOf = offering(deps, project, actor)
  return deps.projects.store.links.ofProject(project.id).filter((link) => fileOf(link) !== undefined)
}

const published = ({ files: { store: files } }: Rooms<'files'>, links: readonly LinkRecord[]) =>
  links.map((link) => {
    const file = files.find(link.fileId)
    return { filename: file?.filename ?? '', platform: platformOfLink(link, file) }
  })

/** The icon of the newest file that has one. */
function findIconUrl({ files }: Rooms<'files'>, newest: readonly LinkRecord[], actor: Actor) {
  for (const { fileId } of newest) {
    const file = files.store.find(fileId)
    if (file?.facts?.hasIcon) return packageFor(files, file, actor).icon_url
  }
  return null
}

/** Testers get no icons of private files, because addresses below /api do not know them. */
function packageFor({ presentPackage }: Rooms<'files'>['files'], file: FileRecord, actor: Actor) {
  const view = presentPackage(file)
  return actor.kind === 'tester' && !file.isPublic ? { ...view, icon_url: null } : view
}

/** The platform as entered, else the one that the package is for. */
export function platformOfLink(
  { platform }: LinkRecord,
  file: { facts?: PackageSummary | null | undefined } | undefined,
) {
  const kind = file?.facts?.kind
  return platform ?? (kind && platformOfPackage(kind)) ?? null
}

/** Cuts without splitting a surrogate pair. */
function beginning(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text
    .slice(0, most - 1)
    .replace(/[\uD800-\uDBFF]$/, '')
    .trimEnd()}…`
}

/** Presents a linked file; undefined if the actor may not see it. */
export function presentLink(
  { files: room, projects }: Rooms<'files' | 'projects'>,
  project: ProjectRecord,
  link: LinkRecord,
  actor: Actor,
): LinkedFile | undefined {
  const { store: files, counts, policy: filePolicy, versionOf } = room
  const file = files.find(link.fileId)
  if (!file || !filePolicy.can(actor, 'read', file)) return undefined
  const release = link.releaseId === null ? undefined : projects.store.releases.find(link.releaseId)
  const publishable = !file.isPublic && filePolicy.can(actor, 'update', file)
  return {
    file_id: file.id,
    filename: file.filename,
    version: link.version ?? versionOf(file),
    platform: platformOfLink(link, file),
    ...packageFor(room, file, actor),
    size: file.size,
    downloads: counts.downloadsOfLink(project.id, file.id),
    added_at: link.addedAt,
    release: release ? { version: release.version, channel: release.channel, state: release.state } : null,
    is_public: file.isPublic,
    sha256: file.sha256,
    can: [
      'read',
      ...(projectPolicy.can(actor, 'link', project) ? (['unlink'] as const) : []),
      ...(publishable ? (['publish'] as const) : []),
    ],
  }
}

/** Presents the pictures of a project. `base`: see `Entrance`; default: the public address. */
export function presentPictures(project: ProjectRecord, base = pathOf(project)): ProjectPictures {
  const { pictures = [] } = project
  const ofKind = (kind: PictureRecord['kind']) =>
    pictures.filter((picture) => picture.kind === kind).map((picture) => presentPicture(picture, base))
  return { icon: ofKind('icon')[0] ?? null, cover: ofKind('cover')[0] ?? null, screenshots: ofKind('screenshot') }
}

function presentPicture({ id, alt, color, sizes }: PictureRecord, base: string): Picture {
  const views = sizes.map(({ width, height }) => ({ url: picturePath(base, id, width), width, height })).reverse()
  const largest = views.at(-1)
  if (!largest) throw new Error('A picture has at least one size')
  return { picture_id: id, alt, ...largest, color, sizes: views }
}

const pathOf = ({ slug }: ProjectRecord) => fillRoute(routes.publicProject, { slug })
