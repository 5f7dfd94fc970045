import type { Actor } from '../../access/actor'
import type { AppContext } from '../../context'
import type { LinkedFile, Project } from '../../contract'
import { projectPolicy, roleIn } from './policy'
import type { LinkRecord, ProjectRecord } from './project-store'

type Needs = Pick<AppContext, 'users' | 'files' | 'counts' | 'filePolicy' | 'versionOf'>

/** The shape of a project in replies, with the linked files that this actor may see, newest first. */
export function presentProject(needs: Needs, project: ProjectRecord, actor: Actor): Project {
  const { users, counts } = needs
  return {
    project_id: project.id,
    slug: project.slug,
    title: project.title,
    short_description: project.shortDescription,
    description: project.description,
    is_public: project.isPublic,
    project_url: project.projectUrl,
    owner: users.nameOf(project.ownerId),
    created_at: project.createdAt,
    updated_at: project.updatedAt,
    stats: { total_downloads: counts.downloadsOfProject(project.id), views: counts.viewsOfProject(project.id) },
    downloads: presentLinks(needs, project, actor),
    role: roleIn(actor, project),
    can: projectPolicy.abilities(actor, project),
  }
}

function presentLinks(needs: Needs, project: ProjectRecord, actor: Actor): LinkedFile[] {
  const shown = project.links.map((link) => presentLink(needs, project, link, actor))
  return shown.filter((link) => link !== undefined).reverse()
}

/** One linked file; undefined when the actor may not see it. */
export function presentLink(
  { files, counts, filePolicy, versionOf }: Needs,
  project: ProjectRecord,
  link: LinkRecord,
  actor: Actor,
): LinkedFile | undefined {
  const file = files.find(link.fileId)
  if (!file || !filePolicy.can(actor, 'read', file)) return undefined
  const publishable = !file.isPublic && filePolicy.can(actor, 'update', file)
  return {
    file_id: file.id,
    filename: file.filename,
    version: link.version ?? versionOf(file),
    platform: link.platform,
    size: file.size,
    downloads: counts.downloadsOfLink(project.id, file.id),
    added_at: link.addedAt,
    is_public: file.isPublic,
    sha256: file.sha256,
    can: [
      'read',
      ...(projectPolicy.can(actor, 'link', project) ? (['unlink'] as const) : []),
      ...(publishable ? (['publish'] as const) : []),
    ],
  }
}
