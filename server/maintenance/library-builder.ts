import { randomBytes } from 'node:crypto'
import type { Passwords } from '../features/accounts/passwords'
import type { FileRecord } from '../features/files/file-store'
import type { PlacedLink } from '../features/projects/project-store'
import { emptyLibrary } from '../storage/library-data'
import { recordsOf } from './records'
import type { Sidecar, SidecarAccount } from './sidecar'

type SidecarProject = Sidecar['projects'][number]

/** Puts a library together, blob by blob. */
export class LibraryBuilder {
  readonly data = emptyLibrary()
  readonly accounts: { username: string; password: string }[] = []
  readonly #records = recordsOf(this.data)

  constructor(private readonly passwords: Pick<Passwords, 'hash'>) {}

  get isEmpty(): boolean {
    return this.#records.files.size + this.#records.trash.size === 0
  }

  counts(): { files: number; projects: number } {
    return { files: this.#records.files.size, projects: this.#records.projects.size }
  }

  async add(blobId: string, { owner, projects, deletedAt, ...told }: Sidecar): Promise<void> {
    await this.#addAccount(owner)
    for (const project of projects) await this.#addProject(project)
    const file: FileRecord = { ...told, ownerId: owner.id, blobId }
    const placed = projects.map(({ id, link }) => ({ projectId: id, link: { fileId: file.id, ...link } }))
    if (deletedAt !== null) this.#addTrashed(file, placed, deletedAt)
    else {
      this.#records.files.set(file.id, file)
      for (const place of placed) this.#link(place)
    }
  }

  /** Reserves the addresses of projects that cannot be rebuilt, for owners that can. */
  reserve(ownerIds: ReadonlyMap<string, string>, now: Date): void {
    const { projects, users, reservedSlugs } = this.#records
    const live = new Set([...projects.values()].map((project) => project.slug))
    const reservedAt = now.toISOString()
    for (const [slug, ownerId] of ownerIds) {
      if (!live.has(slug) && users.has(ownerId)) reservedSlugs.set(slug, { slug, ownerId, reservedAt })
    }
  }

  /** Passwords are nowhere but in the library: everybody gets a new one. */
  async #addAccount(account: SidecarAccount): Promise<void> {
    if (this.#records.users.has(account.id)) return
    const password = randomBytes(12).toString('base64url')
    this.#records.users.set(account.id, { ...account, passwordHash: await this.passwords.hash(password, 'here') })
    this.accounts.push({ username: account.username, password })
  }

  async #addProject({ owner, link: _, ...project }: SidecarProject): Promise<void> {
    await this.#addAccount(owner)
    if (this.#records.projects.has(project.id)) return
    const text = { shortDescription: '', description: '', projectUrl: null }
    const rest = { collaboratorIds: [], links: [], updatedAt: project.createdAt }
    this.#records.projects.set(project.id, { ...project, ...text, ...rest, ownerId: owner.id })
  }

  #link({ projectId, link }: PlacedLink): void {
    const project = this.#records.projects.get(projectId)
    if (!project) return
    const links = [...project.links, link].sort((a, b) => a.addedAt.localeCompare(b.addedAt))
    this.#records.projects.set(projectId, { ...project, links })
  }

  #addTrashed(file: FileRecord, placed: readonly PlacedLink[], deletedAt: string): void {
    const { id, ownerId, filename: name, size, blobId } = file
    const value = { file, placed }
    this.#records.trash.set(id, { id, kind: 'file', ownerId, name, size, blobId, deletedAt, value })
  }
}
