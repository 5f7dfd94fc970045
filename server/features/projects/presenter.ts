import type { z } from 'zod'
import { cutText } from '../../texts/format'
import type { Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import {
  LISTED_PROJECT,
  platformsOf,
  picturePath,
  type LinkedFile,
  type Picture,
  type Project,
  type ProjectPictures,
  type projectFieldsSchema,
} from '../../contract'
import { fillRoute, routes } from '../../contract/routes'
import type { PreviewPicture } from '../../http/pages/page-head'
import { markdownText } from '../../texts/markdown/markdown-text'
import { platformOfLink } from './link-store'
import { iconAddress, LOOKED_AT, ProjectView } from './project-view'
import { projectPolicy, resolveRole, takesReports } from './policy'
import type { LinkRecord, PictureRecord, ProjectRecord } from '../../data/records/project-records'

type Fields = z.output<typeof projectFieldsSchema>

/** The fields of a project that its owner writes, as the API names them. */
export const presentText = (project: ProjectRecord) => ({
  title: project.title,
  short_description: project.shortDescription,
  description: project.description,
  is_public: project.isPublic,
  project_url: project.projectUrl,
})

/** The same as a record has them. Fields that are left out keep their value, or stay blank. */
export const readText = (
  changes: { [Name in keyof Fields]?: Fields[Name] | undefined },
  old?: ProjectRecord,
) => ({
  title: changes.title ?? old?.title ?? '',
  shortDescription: changes.short_description ?? old?.shortDescription ?? '',
  description: changes.description ?? old?.description ?? '',
  isPublic: changes.is_public ?? old?.isPublic ?? false,
  projectUrl: (changes.project_url === undefined ? old?.projectUrl : changes.project_url) || null,
})

/** The most characters that search engines and link previews show. */
const SUMMARY_MAX = 160

/** Cache for projects without a short description. Records are immutable. */
const summaries = new WeakMap<ProjectRecord, string>()

/** Returns a one-line plain-text summary; may be empty. */
export function summarizeProject(project: ProjectRecord): string {
  if (project.shortDescription !== '') return project.shortDescription
  const summary = summaries.get(project) ?? markdownText(project.description, SUMMARY_MAX)
  summaries.set(project, summary)
  return summary
}

/** The most characters of the description, and the most linked files, in a response. */
type Extent = typeof LISTED_PROJECT

const WHOLE: Extent = { description: Infinity, files: Infinity }

/** Presents a project with the linked files that the actor may see, newest first. */
export const presentProject = (deps: Rooms<'accounts'>, view: ProjectView): Project =>
  present(deps, view, WHOLE)

/**
 * Presents a project for the page that the server renders: its files come with the view of its
 * releases.
 */
export const presentProjectPage = (deps: Rooms<'accounts'>, view: ProjectView): Project =>
  present(deps, view, { description: Infinity, files: 0 })

/** Presents a list of projects as an actor sees them. */
export const presentProjects = (
  rooms: Rooms<'accounts' | 'files' | 'projects'>,
  projects: readonly ProjectRecord[],
  actor: Actor,
): Project[] =>
  projects.map((project) => presentListedProject(rooms, new ProjectView(rooms, project, actor)))

/** Presents a project in a list, with limits that keep every page of the list small. */
export const presentListedProject = (deps: Rooms<'accounts'>, view: ProjectView): Project => {
  const whole = present(deps, view, LISTED_PROJECT)
  return { ...whole, pictures: { ...whole.pictures, screenshots: [] } }
}

function present(deps: Rooms<'accounts'>, view: ProjectView, extent: Extent): Project {
  const { project, actor, files } = view
  const { users } = deps.accounts
  const { counts } = view.rooms.files

  const newest = files.slice(0, LOOKED_AT)
  return {
    project_id: project.id,
    slug: project.slug,
    ...presentText(project),
    summary: summarizeProject(project),
    description: cutText(project.description, extent.description),
    owner: users.nameOf(project.ownerId),
    created_at: project.createdAt,
    updated_at: findUpdate(view),
    stats: {
      total_downloads: counts.downloadsOfProject(project.id),
      views: counts.viewsOfProject(project.id),
    },
    downloads: files.slice(0, extent.files).flatMap(({ link }) => presentLink(view, link) ?? []),
    total_files: files.length,
    platforms: platformsOf(
      newest.map(({ link, file }) => ({
        filename: file.filename,
        platform: platformOfLink(link, file),
      })),
    ),
    icon_url: findIconUrl(view),
    pictures: presentPictures(project, addressFor(project, actor)),
    takes_reports: takesReports(project, actor.kind === 'tester'),
    open_reports: projectPolicy.can(actor, 'reports', project)
      ? view.rooms.projects.reports.countOpen(project.id)
      : null,
    takes_requests: takesRequests(view),
    role: resolveRole(actor, project),
    can: projectPolicy.abilities(actor, project),
  }
}

/** Whether visitors find the form at this address. Most projects have none. */
const takesRequests = ({ project, actor, rooms }: ProjectView): boolean =>
  project.accessForm?.isOpen === true &&
  actor.kind !== 'tester' &&
  rooms.projects.accessRequests.isOpen(project)

/**
 * Returns when what an actor sees of a project last changed. Other than members see only changes of
 * its page, and files that they may have.
 */
export function findUpdate(view: ProjectView): string {
  const { project, actor, rooms } = view
  if (resolveRole(actor, project) !== null) return rooms.projects.store.updatedAt(project)

  const added = view.files[0]?.link.addedAt ?? ''
  return added > project.updatedAt ? added : project.updatedAt
}

/** Returns the base path of the addresses of a project's pictures. */
const addressFor = (project: ProjectRecord, actor: Actor): string =>
  actor.kind === 'tester' ? actor.base : pathOf(project)

/** The least width of an icon that is sharp on pages, in pixels. */
const ICON_WIDTH = 128

/**
 * Returns the address of a project's icon: the one that its owner chose, else that of a package.
 * Null if it has none.
 */
export function findIconUrl(view: ProjectView): string | null {
  const { project, actor, rooms } = view
  const { icon } = presentPictures(project, addressFor(project, actor))
  if (icon) return (icon.sizes.find(({ width }) => width >= ICON_WIDTH) ?? icon).url
  const file = view.findIconFile()
  return file ? iconAddress(rooms, file, actor) : null
}

/** Returns a picture for links to a project: its cover, else its icon. Undefined if it has none. */
export function findPreviewPicture(view: ProjectView): PreviewPicture | undefined {
  const { project, actor } = view
  const { cover } = presentPictures(project, addressFor(project, actor))
  if (cover)
    return {
      path: cover.url,
      alt: cover.alt || project.title,
      width: cover.width,
      height: cover.height,
    }

  const icon = findIconUrl(view)
  return icon === null ? undefined : { path: icon, alt: `The icon of ${project.title}` }
}

/** Presents a linked file. Returns undefined if the actor may not see it. */
export function presentLink(view: ProjectView, link: LinkRecord): LinkedFile | undefined {
  const { project, actor } = view
  const { files: room, projects } = view.rooms
  const { store: files, counts, policy: filePolicy, versionOf } = room
  const file = files.find(link.fileId)
  if (!file || !filePolicy.can(actor, 'read', file)) return undefined

  const release = link.releaseId === null ? undefined : projects.store.releases.find(link.releaseId)
  const publishable = !file.isPublic && filePolicy.can(actor, 'publish', file)

  return {
    file_id: file.id,
    filename: file.filename,
    version: link.version ?? versionOf(file),
    platform: platformOfLink(link, file),
    ...room.presentPackage(file),
    icon_url: iconAddress({ files: room }, file, actor),
    size: file.size,
    downloads: counts.downloadsOfLink(project.id, file.id),
    added_at: link.addedAt,
    release: release
      ? { version: release.version, channel: release.channel, state: release.state }
      : null,
    is_public: file.isPublic,
    sha256: file.sha256,
    can: [
      'read',
      ...(projectPolicy.can(actor, 'unlink', project) ? (['unlink'] as const) : []),
      ...(publishable ? (['publish'] as const) : []),
      ...(filePolicy.can(actor, 'share', file) ? (['share'] as const) : []),
    ],
  }
}

/** Presents the pictures of a project. `base`: see `Audience`; default: the public address. */
export function presentPictures(project: ProjectRecord, base = pathOf(project)): ProjectPictures {
  const { pictures = [] } = project
  const ofKind = (kind: PictureRecord['kind']) =>
    pictures
      .filter((picture) => picture.kind === kind)
      .map((picture) => presentPicture(picture, base))

  return {
    icon: ofKind('icon')[0] ?? null,
    cover: ofKind('cover')[0] ?? null,
    screenshots: ofKind('screenshot'),
  }
}

function presentPicture({ id, alt, color, sizes }: PictureRecord, base: string): Picture {
  const views = sizes
    .map(({ width, height }) => ({ url: picturePath(base, id, width), width, height }))
    .reverse()
  const largest = views.at(-1)
  if (!largest) throw new Error('A picture has at least one size')
  return { picture_id: id, alt, ...largest, color, sizes: views }
}

const pathOf = ({ slug }: ProjectRecord) => fillRoute(routes.publicProject, { slug })
