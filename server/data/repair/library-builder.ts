import { randomBytes } from 'node:crypto'
import type { Passwords } from '../../features/accounts/passwords'
import type { FileRecord } from '../../features/files/file-store'
import { linkId, type LinkRecord } from '../../features/projects/link-store'
import { emptyLibrary } from '../library/library-data'
import { recordsOf } from './records'
import type { Sidecar, SidecarAccount } from '../sidecars/sidecar'

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
    const links = projects.map((project) => linkOf(project, file.id))
    if (deletedAt !== null) this.#addTrashed(file, links, deletedAt)
    else {
      this.#records.files.set(file.id, file)
      for (const link of links) this.#records.links.set(link.id, link)
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
    const rest = { collaboratorIds: [], updatedAt: project.createdAt }
    this.#records.projects.set(project.id, { ...project, ...text, ...rest, ownerId: owner.id })
  }

  #addTrashed(file: FileRecord, links: readonly LinkRecord[], deletedAt: string): void {
    const { id, ownerId, filename: name, size, blobId } = file
    const value = { file, links }
    this.#records.trash.set(id, { id, kind: 'file', ownerId, name, size, blobId, deletedAt, value })
  }
}

function linkOf({ id: projectId, link }: SidecarProject, fileId: string): LinkRecord {
  const { position = Date.parse(link.addedAt), ...rest } = link
  return { id: linkId(projectId, fileId), projectId, fileId, ...rest, position }
}
