import { userIdOf, type Actor } from '../../access/actor'
import type { Rooms } from '../../compose/context'
import type { ExportSummary } from '../../contract'
import {
  EXPORT_LIMITS,
  EXPORT_MANIFEST,
  EXPORT_VERSION,
  type ExportManifest,
} from '../../contract/export-format'
import { forbidden, notFound } from '../../core/errors'
import type { ProjectRecord } from '../../data/records/project-records'
import type { PrivateZip } from '../downloads/delivery'
import { madeOf, type ZipMember } from '../downloads/zip-reply'
import { resolveRole } from '../projects/policy'
import { ProjectView, viewProject } from '../projects/project-view'
import { EXPORT_README } from './export-texts'
import { ExportFiles } from './export-files'
import { addProject } from './export-project'
import { hasTooManyValues } from './manifest-values'

type Deps = Rooms<'accounts' | 'files' | 'projects'>

/** A zip to send, and what it contains. */
export interface Export {
  zip: PrivateZip
  manifest: ExportManifest
  isImportable: boolean
}

/** Collects the projects and files of the actor's account. */
export function collectAccount(rooms: Deps, actor: Actor): Export {
  const userId = userIdOf(actor)
  const user = rooms.accounts.users.find(userId)
  if (!user) throw notFound('User')
  const { username, email, createdAt: created_at } = user

  const projects = rooms.projects.store
    .ofMember(userId)
    .filter(({ ownerId }) => ownerId === userId)
    .toSorted(oldestFirst)
    .map((project) => new ProjectView(rooms, project, actor))

  return collect(rooms, projects, {
    name: `slipway-${username}`,
    account: { username, email, created_at },
    looseFiles: userId,
  })
}

/** Collects a project with the files that the actor may read. Throws `not_found`, `forbidden`. */
export function collectProject(rooms: Deps, actor: Actor, idOrSlug: string): Export {
  const view = viewProject(rooms, actor, idOrSlug)
  if (resolveRole(actor, view.project) === null) throw forbidden('export this project')
  return collect(rooms, [view], { name: `slipway-${view.project.slug}`, account: null })
}

interface Scope {
  /** Of the zip, without extension. */
  name: string
  account: ExportManifest['account']
  /** The account whose files without a project are in it. */
  looseFiles?: string
}

function collect(rooms: Deps, views: readonly ProjectView[], scope: Scope): Export {
  const files = new ExportFiles()
  const projects = views.map((view) => addProject(rooms, files, view))
  if (scope.looseFiles !== undefined) {
    const loose = rooms.files.store.ownedBy(scope.looseFiles).filter((file) => !files.has(file))
    files.add('files', loose, [])
  }

  const manifest: ExportManifest = {
    format: 'slipway-export',
    version: EXPORT_VERSION,
    scope: scope.account ? 'account' : 'project',
    account: scope.account,
    projects,
    files: files.listed,
    texts: ['README.md', ...files.texts],
  }

  const modifiedAt = files.newest([scope.account?.created_at, ...projects.map(lastChange)])
  const json = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`)
  const members: ZipMember[] = [
    { name: EXPORT_MANIFEST, modifiedAt, content: { made: madeOf(() => json) } },
    { name: 'README.md', modifiedAt, content: { made: madeOf(() => Buffer.from(EXPORT_README)) } },
    ...files.members,
  ]

  return {
    zip: { filename: `${scope.name}.zip`, modifiedAt, members },
    manifest,
    isImportable:
      members.length <= EXPORT_LIMITS.entries &&
      json.length <= EXPORT_LIMITS.manifest &&
      !hasTooManyValues(json),
  }
}

const lastChange = ({ updated_at }: { updated_at: string }) => updated_at

const oldestFirst = (a: ProjectRecord, b: ProjectRecord): number =>
  `${a.createdAt} ${a.id}` < `${b.createdAt} ${b.id}` ? -1 : 1

/** Counts what an export contains. */
export const summarize = ({ zip, manifest, isImportable }: Export, size: number): ExportSummary => {
  const count = (of: 'releases' | 'posts' | 'pictures' | 'reports') =>
    manifest.projects.reduce((sum, project) => sum + project[of].length, 0)

  return {
    filename: zip.filename,
    size,
    projects: manifest.projects.length,
    releases: count('releases'),
    posts: count('posts'),
    reports: count('reports'),
    pictures: count('pictures'),
    files: manifest.files.length,
    is_importable: isImportable,
  }
}
