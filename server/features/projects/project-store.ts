import { AppError } from '../../errors'
import {
  newestBy,
  type Collection,
  type Index,
  type Library,
  type SortedIndex,
  type Transaction,
  type UniqueIndex,
} from '../../storage/library'
import type { World } from '../../world'
import { ReservedSlugs } from './reserved-slugs'
import { slugFor } from './slug'

/** A file that a project offers; within its project the file's id addresses it. */
export interface LinkRecord {
  fileId: string
  version: string | null
  platform: string | null
  addedAt: string
}

export interface ProjectRecord {
  id: string
  /** Made from the first title and kept when the title changes, so that shared links stay good. */
  slug: string
  ownerId: string
  title: string
  shortDescription: string
  description: string
  isPublic: boolean
  projectUrl: string | null
  collaboratorIds: readonly string[]
  /** Oldest first. */
  links: readonly LinkRecord[]
  createdAt: string
  updatedAt: string
}

/** A link and the project on which it stands. */
export interface PlacedLink {
  projectId: string
  link: LinkRecord
}

/** What a person writes about a project. */
export type ProjectText = Pick<ProjectRecord, 'title' | 'shortDescription' | 'description' | 'isPublic' | 'projectUrl'>

/** The projects, with their links and collaborators. */
export class ProjectStore {
  readonly #projects: Collection<ProjectRecord>
  readonly #bySlug: UniqueIndex<ProjectRecord>
  readonly #public: SortedIndex<ProjectRecord>
  readonly #byMember: SortedIndex<ProjectRecord>
  readonly #byFile: Index<ProjectRecord>
  readonly #reserved: ReservedSlugs

  constructor(
    private readonly library: Library,
    private readonly world: World,
    reserved = new ReservedSlugs(library),
  ) {
    this.#reserved = reserved
    this.#projects = library.collection<ProjectRecord>('projects')
    this.#bySlug = this.#projects.uniqueIndex((project) => project.slug)
    const newest = newestBy<ProjectRecord>((project) => project.createdAt)
    this.#public = this.#projects.sorted((project) => (project.isPublic ? ['public'] : []), newest)
    this.#byMember = this.#projects.sorted((project) => [project.ownerId, ...project.collaboratorIds], newest)
    this.#byFile = this.#projects.indexMany((project) => project.links.map((link) => link.fileId))
  }

  /** By id, else by slug in any case. The id of a deleted project finds nothing: a slug could be its lowercase form. */
  find(idOrSlug: string): ProjectRecord | undefined {
    const project = this.#projects.get(idOrSlug)
    return project || isId(idOrSlug) ? project : this.#bySlug.get(idOrSlug.toLowerCase())
  }

  /** Newest first. */
  allPublic(): readonly ProjectRecord[] {
    return this.#public.get('public')
  }

  /** Those that the user owns or works on, newest first. */
  ofMember(userId: string): readonly ProjectRecord[] {
    return this.#byMember.get(userId)
  }

  /** Those that offer the file. */
  offering(fileId: string): readonly ProjectRecord[] {
    return this.#byFile.get(fileId)
  }

  /** Whether the user works on a project that offers the file. */
  isShared(fileId: string, userId: string): boolean {
    return this.#byFile.get(fileId).some((project) => isMember(project, userId))
  }

  /** The version that the newest link of a file carries. */
  newestVersionOf(fileId: string): string | null {
    let newest: LinkRecord | undefined
    for (const { links } of this.#byFile.get(fileId)) {
      const link = links.find((one) => one.fileId === fileId)
      if (link && link.version !== null && (!newest || link.addedAt >= newest.addedAt)) newest = link
    }
    return newest?.version ?? null
  }

  create(ownerId: string, text: ProjectText): Promise<ProjectRecord> {
    const now = this.world.now().toISOString()
    return this.library.transact((tx) => {
      const slug = slugFor(text.title, (taken) => this.#isTaken(taken, ownerId))
      const base = {
        id: this.world.newId(),
        slug,
        ownerId,
        collaboratorIds: [],
        links: [],
        createdAt: now,
        updatedAt: now,
      }
      const project: ProjectRecord = { ...base, ...text }
      this.#reserved.release(tx, slug)
      tx.put(this.#projects, project.id, project)
      return project
    })
  }

  /** Applies `change` to the project as it is at that moment. Throws `not_found` when it has gone meanwhile. */
  update(id: string, change: (project: ProjectRecord) => Partial<ProjectRecord>): Promise<ProjectRecord> {
    return this.library.transact((tx) => this.#change(tx, id, change))
  }

  /** Offers a file on a project. Throws `taken` when the project offers it already. */
  link(tx: Transaction, id: string, link: Omit<LinkRecord, 'addedAt'>): ProjectRecord {
    return this.#change(tx, id, ({ links }) => {
      if (links.some(({ fileId }) => fileId === link.fileId)) {
        throw new AppError('taken', 'The project offers this file already', 'file_id')
      }
      return { links: [...links, { ...link, addedAt: this.world.now().toISOString() }] }
    })
  }

  /** Takes a file off every project, in the transaction that deletes it. Answers what was taken off, by project. */
  forgetFile(tx: Transaction, fileId: string): PlacedLink[] {
    return [...this.#byFile.get(fileId)].flatMap((project) => {
      const links = project.links.filter((link) => link.fileId !== fileId)
      tx.put(this.#projects, project.id, { ...project, links })
      const taken = project.links.filter((link) => link.fileId === fileId)
      return taken.map((link) => ({ projectId: project.id, link }))
    })
  }

  /** Offers a file again where it was; projects that are gone meanwhile are passed over. */
  putLinksBack(tx: Transaction, placed: readonly PlacedLink[]): void {
    for (const { projectId, link } of placed) {
      const project = this.#projects.get(projectId)
      if (!project || project.links.some(({ fileId }) => fileId === link.fileId)) continue
      const links = [...project.links, link].sort((a, b) => a.addedAt.localeCompare(b.addedAt))
      tx.put(this.#projects, projectId, { ...project, links })
    }
  }

  /** Removes the record and reserves its slug, in the transaction that puts it into the trash. */
  drop(tx: Transaction, { id, slug, ownerId }: ProjectRecord): void {
    tx.delete(this.#projects, id)
    this.#reserved.reserve(tx, { slug, ownerId, reservedAt: this.world.now().toISOString() })
  }

  /** Brings back a project, under a numbered slug where its owner has given its own to another project. */
  putBack(tx: Transaction, project: ProjectRecord): void {
    const isTaken = (slug: string) => this.#isTaken(slug, project.ownerId)
    const slug = isTaken(project.slug) ? slugFor(project.slug, isTaken) : project.slug
    this.#reserved.release(tx, slug)
    tx.put(this.#projects, project.id, { ...project, slug })
  }

  #isTaken(slug: string, userId: string): boolean {
    return this.#bySlug.get(slug) !== undefined || this.#reserved.isReservedFrom(userId, slug)
  }

  #change(tx: Transaction, id: string, change: (project: ProjectRecord) => Partial<ProjectRecord>): ProjectRecord {
    const current = this.#projects.get(id)
    if (!current) throw new AppError('not_found', 'Project not found')
    const changed = { ...current, ...change(current), updatedAt: this.world.now().toISOString() }
    tx.put(this.#projects, id, changed)
    return changed
  }
}

/** Whether a text has the form of an id, and of no slug: newId makes no id without a capital letter. */
const isId = (text: string): boolean => /^(?=.*[A-Z])[\w-]{16}$/.test(text)

/** Whether the user owns the project or collaborates on it. */
export const isMember = ({ ownerId, collaboratorIds }: ProjectRecord, userId: string): boolean =>
  ownerId === userId || collaboratorIds.includes(userId)
