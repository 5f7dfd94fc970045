import { AppError, notFound } from '../../core/errors'
import type { Collection, Index, Library, SortedIndex, Transaction } from '../../data/library/library'
import type { World } from '../../core/clock'

/** A file that a project offers; within its project the file's id addresses it. */
export interface LinkRecord {
  /** Follows from project and file (`linkId`), so that no project offers a file twice. */
  id: string
  projectId: string
  fileId: string
  version: string | null
  platform: string | null
  addedAt: string
  /** The later link of a project has the higher one: ms since 1970, raised where the clock did not move on. */
  position: number
}

/** What a person decides about a link. */
export type NewLink = Pick<LinkRecord, 'fileId' | 'version' | 'platform'>

/** The id of the link of a file to a project. */
export const linkId = (projectId: string, fileId: string): string => `${projectId}/${fileId}`

/** Which files the projects offer. Linking writes one small record, however large the project is. */
export class LinkStore {
  readonly #links: Collection<LinkRecord>
  readonly #byProject: SortedIndex<LinkRecord>
  readonly #byFile: Index<LinkRecord>

  constructor(
    private readonly library: Library,
    private readonly world: Pick<World, 'now'>,
  ) {
    this.#links = library.collection<LinkRecord>('links')
    this.#byProject = this.#links.sorted((link) => [link.projectId], newestFirst)
    this.#byFile = this.#links.index((link) => link.fileId)
  }

  /** Newest first. The list is live. */
  ofProject(projectId: string): readonly LinkRecord[] {
    return this.#byProject.get(projectId)
  }

  /** On all projects that offer the file. */
  ofFile(fileId: string): readonly LinkRecord[] {
    return this.#byFile.get(fileId)
  }

  find(projectId: string, fileId: string): LinkRecord | undefined {
    return this.#links.get(linkId(projectId, fileId))
  }

  /** The version that the newest link of a file carries. */
  newestVersionOf(fileId: string): string | null {
    let newest: LinkRecord | undefined
    for (const link of this.ofFile(fileId)) {
      if (link.version !== null && (!newest || link.addedAt >= newest.addedAt)) newest = link
    }
    return newest?.version ?? null
  }

  /** When the links of a project changed, if it did not change itself since then; a UTC ISO string. */
  changedAt(projectId: string): string | undefined {
    const changed = this.library.counter(changedName(projectId))
    return changed === 0 ? undefined : new Date(changed).toISOString()
  }

  /** Forgets that, in the transaction that changes the project itself or deletes it for good. */
  forgetChange(tx: Transaction, projectId: string): void {
    const name = changedName(projectId)
    if (this.library.counter(name) !== 0) tx.setCounter(name, undefined)
  }

  /** Throws `taken` when the project offers the file already. */
  add(tx: Transaction, projectId: string, { fileId, version, platform }: NewLink): void {
    if (this.find(projectId, fileId)) throw new AppError('taken', 'The project already has this file', 'file_id')
    const now = this.world.now()
    const position = Math.max(now.getTime(), (this.ofProject(projectId)[0]?.position ?? 0) + 1)
    const release = { version, platform, addedAt: now.toISOString(), position }
    const id = linkId(projectId, fileId)
    tx.put(this.#links, id, { id, projectId, fileId, ...release })
    this.#changed(tx, projectId)
  }

  /** Throws `not_found` when the project does not offer the file. */
  remove(tx: Transaction, projectId: string, fileId: string): void {
    const link = this.find(projectId, fileId)
    if (!link) throw notFound('File')
    tx.delete(this.#links, link.id)
    this.#changed(tx, projectId)
  }

  /** Takes a file off every project, in the transaction that deletes it. Answers what was taken off. */
  takeOfFile(tx: Transaction, fileId: string): readonly LinkRecord[] {
    return this.#take(tx, this.ofFile(fileId))
  }

  /** Takes all files off a project, in the transaction that deletes it. Answers what was taken off. */
  takeOfProject(tx: Transaction, projectId: string): readonly LinkRecord[] {
    return this.#take(tx, this.ofProject(projectId))
  }

  /** Offers files again where they were. */
  putBack(tx: Transaction, links: readonly LinkRecord[]): void {
    for (const link of links) if (!this.#links.has(link.id)) tx.put(this.#links, link.id, link)
  }

  #take(tx: Transaction, live: readonly LinkRecord[]): readonly LinkRecord[] {
    const links = [...live]
    for (const { id } of links) tx.delete(this.#links, id)
    return links
  }

  /** A number beside the project: a description of 20,000 characters is not written again for each link. */
  #changed(tx: Transaction, projectId: string): void {
    tx.setCounter(changedName(projectId), this.world.now().getTime())
  }
}

/** The counter that has the moment of the last change, in ms since 1970. */
const changedName = (projectId: string) => `project:${projectId}:linked`

function newestFirst(a: LinkRecord, b: LinkRecord): number {
  if (a.position !== b.position) return b.position - a.position
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1
}
