import type { Tester } from '../../access/actor'
import type { Allowance } from '../../access/allowance'
import { AppError, notFound } from '../../core/errors'
import { resolveReleaseVersion, type Versioned } from '../../core/versions'
import {
  cut,
  newestBy,
  TextIndex,
  type Collection,
  type Index,
  type Library,
  type Page,
  type ResultPage,
  type SortedIndex,
  type Transaction,
  type UniqueIndex,
} from '../../data/library/library'
import type { CollaboratorRole } from '../../contract/accounts/collaborators'
import type { Sources } from '../../core/clock'
import { LinkStore, type NewLink } from './link-store'
import { ReleaseStore } from './release-store'
import { ReservedSlugs } from './reserved-slugs'
import { findFreeSlug, slugify } from './slug'
import {
  isMember,
  picturesIn,
  textBytes,
  type PictureRecord,
  type ProjectRecord,
} from '../../data/records/project-records'

type Pictures = readonly PictureRecord[]

/** The fields of a new project that its owner writes. */
type ProjectText = Omit<
  ProjectRecord,
  'id' | 'slug' | 'ownerId' | 'collaboratorIds' | 'createdAt' | 'updatedAt'
>

/** What clients of a project may still ask for when they can no longer read it. */
export type PastProject = Pick<ProjectRecord, 'id' | 'slug' | 'pastChannels' | 'pastNames'>

/** Changes that no date tells: visitors must not learn who works on a project, and how. */
const OF_TEAM: readonly (keyof ProjectRecord)[] = [
  ...(['collaboratorIds', 'maintainerIds', 'retention', 'reports', 'trustedPublishers'] as const),
  'accessForm',
]

/** The projects with their collaborators, releases and links. */
export class ProjectStore {
  readonly #projects: Collection<ProjectRecord>
  readonly #bySlug: UniqueIndex<ProjectRecord>
  readonly #public: SortedIndex<ProjectRecord>
  readonly #byMember: SortedIndex<ProjectRecord>
  readonly #names: TextIndex<ProjectRecord>
  readonly #reserved: ReservedSlugs
  readonly releases: ReleaseStore
  readonly links: LinkStore
  readonly #owned: { get(userId: string): number }
  readonly #byBlob: Index<ProjectRecord>

  constructor(
    private readonly library: Library,
    private readonly sources: Sources,
    private readonly allowance: Allowance,
    reserved = new ReservedSlugs(library),
  ) {
    this.#reserved = reserved
    this.#projects = library.collection('projects')
    this.#bySlug = this.#projects.uniqueIndex((project) => project.slug)

    const newest = newestBy<ProjectRecord>((project) => project.createdAt)
    this.#public = this.#projects.sorted((project) => (project.isPublic ? ['public'] : []), newest)
    this.#byMember = this.#projects.sorted(
      (project) => [project.ownerId, ...project.collaboratorIds],
      newest,
    )

    this.#names = new TextIndex(this.#projects, {
      text: ({ title, shortDescription }) => `${title}\n${shortDescription}`.toLowerCase(),
      owner: (project) => project.ownerId,
      isPublic: (project) => project.isPublic,
      order: newest,
    })

    this.releases = new ReleaseStore(library, sources, allowance)
    this.links = new LinkStore(library, sources, this.releases)

    this.#owned = this.#projects.count((project) => project.ownerId)

    this.#byBlob = this.#projects.indexMany((project) =>
      picturesIn(project).map(({ blobId }) => blobId),
    )
  }

  /**
   * Finds a project by id, else by slug, ignoring case. Ids never match slugs: a slug could equal a
   * deleted project's id in lower case.
   */
  find(idOrSlug: string): ProjectRecord | undefined {
    const project = this.#projects.get(idOrSlug)
    return project || isId(idOrSlug) ? project : this.#bySlug.get(idOrSlug.toLowerCase())
  }

  /**
   * Finds what is left of a project that visitors could read once, and no longer can: it is private
   * or deleted.
   */
  findPast(idOrSlug: string): PastProject | undefined {
    const project = this.find(idOrSlug)
    if (project) return project.wasPublic && !project.isPublic ? project : undefined
    const reserved = this.#reserved.find(idOrSlug.toLowerCase())
    return reserved?.projectId === undefined ? undefined : { ...reserved, id: reserved.projectId }
  }

  /** Newest first. */
  allPublic(): readonly ProjectRecord[] {
    return this.#public.get('public')
  }

  /**
   * Returns a page of the public projects with a text in their title or short description, ignoring
   * case; newest first.
   */
  search(text: string, page: Page): ResultPage<ProjectRecord> {
    const all = this.allPublic()
    return text === ''
      ? cut(all, page)
      : this.#names.search(all, { text: text.toLowerCase(), isPublic: true }, page)
  }

  /** Lists the projects that a user owns or collaborates on, newest first. */
  ofMember(userId: string): readonly ProjectRecord[] {
    return this.#byMember.get(userId)
  }

  /** Whether the user is a member of a project that offers the file. */
  isShared(fileId: string, userId: string): boolean {
    return this.withFile(fileId, userId, Infinity).length > 0
  }

  /** Whether the user is a maintainer of a project to which a maintainer added the file. */
  isMaintained(fileId: string, userId: string): boolean {
    const isMaintainer = (id: string) =>
      this.#projects.get(id)?.maintainerIds?.includes(userId) === true
    return this.links
      .ofFile(fileId)
      .some((link) => link.addedBy !== undefined && isMaintainer(link.projectId))
  }

  /**
   * Returns the projects with a file that this member sees, the latest link first, and the version
   * that the file has there.
   */
  withFile(
    fileId: string,
    userId: string,
    most: number,
  ): { project: ProjectRecord; version: string | null }[] {
    const links = this.links.ofFile(fileId).slice(-most).toReversed()
    return links.flatMap(({ projectId, version }) => {
      const project = this.#projects.get(projectId)
      return project && isMember(project, userId) ? [{ project, version }] : []
    })
  }

  /** Whether the project of a tester link offers the file to it. */
  isOfferedTo(fileId: string, { projectId, channel }: Tester): boolean {
    const link = this.links.find(projectId, fileId)
    return link !== undefined && this.links.isOfferedOn(channel, link)
  }

  /** Returns when the page of a project or its links last changed, as a UTC ISO string. */
  updatedAt({ id, updatedAt }: ProjectRecord): string {
    return this.links.changedAt(id) ?? updatedAt
  }

  /** Whether a picture names a blob. */
  holdsBlob(blobId: string): boolean {
    return this.#byBlob.get(blobId).length > 0
  }

  /** Throws `not_found`. */
  setPictures(
    tx: Transaction,
    id: string,
    change: (pictures: Pictures) => Pictures,
  ): ProjectRecord {
    return this.#change(tx, id, (project) => ({ pictures: change(picturesIn(project)) }))
  }

  /** Throws `too_many_records`. */
  requireRoom(ownerId: string, more: number): void {
    this.allowance.records('projects_per_account', this.#owned.get(ownerId), more)
  }

  /** Throws `too_many_records`, `quota_exceeded`, and `taken` for a chosen slug. */
  async create(ownerId: string, text: ProjectText, chosen?: string): Promise<ProjectRecord> {
    const now = this.sources.now().toISOString()
    const slugOfTitle = await slugify(chosen ?? text.title)
    return this.library.transact((tx) => {
      const slug = findFreeSlug(slugOfTitle, (candidate) => this.#isTaken(candidate, ownerId))
      if (chosen !== undefined && slug !== chosen) throw slugTaken(chosen, slug)

      const base = {
        id: this.sources.newId(),
        slug,
        ownerId,
        collaboratorIds: [],
        createdAt: now,
        updatedAt: now,
      }

      const project: ProjectRecord = { ...base, ...text }
      this.#reserved.release(tx, slug)

      this.requireRoom(ownerId, 1)
      this.allowance.text(ownerId, textBytes(project))
      tx.put(this.#projects, project.id, project)

      return project
    })
  }

  /** Applies `change` to the current record. Throws `not_found` and `quota_exceeded`. */
  update(
    id: string,
    change: (project: ProjectRecord) => Partial<ProjectRecord>,
  ): Promise<ProjectRecord> {
    return this.library.transact((tx) => this.#change(tx, id, change))
  }

  addCollaborator(tx: Transaction, id: string, userId: string): ProjectRecord {
    return this.#change(tx, id, ({ collaboratorIds }) => ({
      collaboratorIds: [...collaboratorIds, userId],
    }))
  }

  /** Adds a member or changes their role; without one, removes them. Throws `not_found`. */
  setRole(
    tx: Transaction,
    id: string,
    userId: string,
    role: CollaboratorRole | null,
  ): ProjectRecord {
    const others = (ids: readonly string[] = []) => ids.filter((it) => it !== userId)
    return this.#change(tx, id, ({ collaboratorIds, maintainerIds }) => ({
      collaboratorIds: [...others(collaboratorIds), ...(role === null ? [] : [userId])],
      maintainerIds: [...others(maintainerIds), ...(role === 'maintainer' ? [userId] : [])],
    }))
  }

  /** Makes a member the owner, with no role for the former one. Throws `not_found`. */
  handOver(tx: Transaction, id: string, ownerId: string): ProjectRecord {
    const others = (ids: readonly string[] = []) => ids.filter((it) => it !== ownerId)
    return this.#change(tx, id, ({ collaboratorIds, maintainerIds }) => ({
      ownerId,
      collaboratorIds: others(collaboratorIds),
      maintainerIds: others(maintainerIds),
    }))
  }

  /** Keeps the addresses of a removed account reserved, without their names. */
  hashReserved(tx: Transaction, ownerId: string): void {
    this.#reserved.hash(tx, ownerId)
  }

  /** Throws `not_found`, and `taken` when the project already offers the file. */
  link(tx: Transaction, id: string, link: NewLink): ProjectRecord {
    const project = this.#require(id)
    this.links.add(tx, project, link)
    return project
  }

  /** Adds the links of a file to the releases of its version, after its package was read. */
  joinReleases(tx: Transaction, file: Versioned & { id: string }): void {
    for (const link of this.links.ofFile(file.id)) {
      const version = resolveReleaseVersion(link.version, file)
      const project = this.#projects.get(link.projectId)
      if (link.releaseId === null && version !== null && project)
        this.links.joinRelease(tx, project, link, version)
    }
  }

  /** Throws `not_found` for a missing project or link. */
  unlink(tx: Transaction, id: string, fileId: string): ProjectRecord {
    const project = this.#require(id)
    this.links.remove(tx, id, fileId)
    return project
  }

  /** Removes the record and reserves its slug, in the transaction that trashes it. */
  drop(tx: Transaction, { id, slug, ownerId }: ProjectRecord): void {
    tx.delete(this.#projects, id)
    this.#reserved.reserve(tx, { slug, ownerId, reservedAt: this.sources.now().toISOString() })
  }

  /**
   * Restores or imports projects of one owner, under a numbered slug where theirs is taken. Returns
   * them. Throws `too_many_records`.
   */
  putBack(tx: Transaction, projects: readonly ProjectRecord[]): ProjectRecord[] {
    const ownerId = projects[0]?.ownerId ?? ''
    this.requireRoom(ownerId, projects.length)
    const used = new Set<string>()
    const isTaken = (slug: string) => used.has(slug) || this.#isTaken(slug, ownerId)

    return projects.map((project) => {
      const slug = findFreeSlug(project.slug, isTaken)
      used.add(slug)
      this.#reserved.release(tx, slug)
      tx.put(this.#projects, project.id, { ...project, slug })
      return { ...project, slug }
    })
  }

  #isTaken(slug: string, userId: string): boolean {
    return this.#bySlug.get(slug) !== undefined || this.#reserved.isReservedFrom(userId, slug)
  }

  #require(id: string): ProjectRecord {
    const project = this.#projects.get(id)
    if (!project) throw notFound('Project')
    return project
  }

  #change(
    tx: Transaction,
    id: string,
    change: (project: ProjectRecord) => Partial<ProjectRecord>,
  ): ProjectRecord {
    const current = this.#require(id)
    const changes = change(current)

    const isOfPage = !OF_TEAM.some((name) => name in changes)

    const updatedAt = isOfPage ? this.sources.now().toISOString() : current.updatedAt
    const changed = { ...current, ...changes, updatedAt }

    this.allowance.text(changed.ownerId, textBytes(changed) - textBytes(current))

    tx.put(this.#projects, id, changed)
    if (isOfPage) this.links.forgetChange(tx, id)

    return changed
  }
}

const slugTaken = (slug: string, free: string) =>
  new AppError('taken', `The address /p/${slug} is taken. /p/${free} is free.`, 'slug', {}, free)

/** Whether a text is an id: newId always includes a capital letter, and a slug never does. */
const isId = (text: string): boolean => /^(?=.*[A-Z])[\w-]{16}$/.test(text)
