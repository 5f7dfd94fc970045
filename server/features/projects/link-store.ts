import { describeKind } from '../../contract'
import { AppError, notFound } from '../../core/errors'
import type {
  Collection,
  Index,
  Library,
  SortedIndex,
  Transaction,
} from '../../data/library/library'
import type { Clock } from '../../core/clock'
import { isOn, type ReleaseStore } from './release-store'
import type { FileRecord, PackageSummary } from '../../data/records/file-records'
import type { LinkRecord, ReleaseRecord } from '../../data/records/project-records'
import { versionIn } from '../../texts/filename'
import { formatFiles } from '../../texts/format'

/** The input of a new link. */
export interface NewLink extends Pick<LinkRecord, 'fileId' | 'version' | 'platform' | 'addedBy'> {
  /** The version of the release that the file joins, or null if there is none. */
  releaseVersion: string | null
  /** Channel of that release. Undefined: the release's own, or the usual one of its version. */
  channel?: string | undefined
}

type Owned = Readonly<Record<'id' | 'ownerId', string>>

/** Returns the id of the link between a project and a file. */
export const linkId = (projectId: string, fileId: string): string => `${projectId}/${fileId}`

/** The links between projects and files. A link is one small record, even in a large project. */
export class LinkStore {
  readonly #links: Collection<LinkRecord>
  readonly #byProject: SortedIndex<LinkRecord>
  readonly #byFile: Index<LinkRecord>
  readonly #byRelease: Index<LinkRecord>

  constructor(
    private readonly library: Library,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly releases: ReleaseStore,
  ) {
    this.#links = library.collection('links')
    this.#byProject = this.#links.sorted((link) => [link.projectId], newestFirst)
    this.#byFile = this.#links.index((link) => link.fileId)
    this.#byRelease = this.#links.index((link) => link.releaseId ?? undefined)
  }

  /** Lists the links of a project, newest first. The list is live. */
  ofProject(projectId: string): readonly LinkRecord[] {
    return this.#byProject.get(projectId)
  }

  ofFile(fileId: string): readonly LinkRecord[] {
    return this.#byFile.get(fileId)
  }

  /** Lists the links of a release, in the order of linking. */
  ofRelease(releaseId: string): readonly LinkRecord[] {
    return this.#byRelease.get(releaseId)
  }

  /**
   * Whether the project offers the file to visitors: not as part of a draft or a withdrawn release.
   */
  isOffered({ releaseId }: LinkRecord): boolean {
    return releaseId === null || this.releases.find(releaseId)?.state === 'published'
  }

  /** Whether the project offers the file to testers of a channel. */
  isOfferedOn(channel: string, { releaseId }: LinkRecord): boolean {
    const release = releaseId === null ? undefined : this.releases.find(releaseId)
    return release?.state === 'published' && isOn(channel, release)
  }

  /**
   * Returns the ids of files that are only part of drafts and withdrawn releases, so that lists can
   * skip them.
   */
  withheld(): ReadonlySet<string> {
    const linked = this.releases
      .unpublished()
      .flatMap(({ id }) => this.ofRelease(id).map(({ fileId }) => fileId))
    return new Set(linked.filter((fileId) => this.isWithheld(fileId)))
  }

  /** Whether a file is only part of drafts and withdrawn releases. */
  isWithheld(fileId: string): boolean {
    const links = this.ofFile(fileId)
    return links.length > 0 && !links.some((link) => this.isOffered(link))
  }

  find(projectId: string, fileId: string): LinkRecord | undefined {
    return this.findById(linkId(projectId, fileId))
  }

  findById(id: string): LinkRecord | undefined {
    return this.#links.get(id)
  }

  /** The version of a file: the one entered, else the package's, else the one in the filename. */
  versionOf = ({ id, version, facts, filename }: FileRecord): string | null =>
    version ?? this.#newestVersionOf(id) ?? facts?.version ?? versionIn(filename)

  #newestVersionOf(fileId: string): string | null {
    let newest: LinkRecord | undefined
    for (const link of this.ofFile(fileId)) {
      if (link.version !== null && (!newest || link.addedAt >= newest.addedAt)) newest = link
    }
    return newest?.version ?? null
  }

  /**
   * Returns when the links last changed, unless the project itself changed later; a UTC ISO string.
   */
  changedAt(projectId: string): string | undefined {
    const changed = this.library.counter(changedName(projectId))
    return changed === 0 ? undefined : new Date(changed).toISOString()
  }

  /** Resets `changedAt`, in the transaction that changes or permanently deletes the project. */
  forgetChange(tx: Transaction, projectId: string): void {
    const name = changedName(projectId)
    if (this.library.counter(name) !== 0) tx.setCounter(name, undefined)
  }

  /**
   * Adds a link. Throws `taken` if the project already offers the file, and `invalid_input` for a
   * channel other than the release's.
   */
  add(tx: Transaction, project: Owned, { releaseVersion, channel, ...link }: NewLink): void {
    const projectId = project.id
    const { fileId } = link

    if (this.find(projectId, fileId))
      throw new AppError('taken', 'The project already has this file', 'file_id')

    const now = this.clock.now()
    const position = Math.max(now.getTime(), (this.ofProject(projectId)[0]?.position ?? 0) + 1)

    if (channel !== undefined && releaseVersion === null)
      throw new AppError(
        'invalid_input',
        'Name the version of this build, because a channel has releases',
        'version',
      )

    const releaseId =
      releaseVersion === null ? null : this.releases.join(tx, project, releaseVersion, channel)

    const id = linkId(projectId, fileId)
    tx.put(this.#links, id, {
      ...link,
      id,
      projectId,
      addedAt: now.toISOString(),
      position,
      releaseId,
    })

    this.#changed(tx, projectId)
  }

  /** Adds a link without a release to the release of this version. */
  joinRelease(tx: Transaction, project: Owned, link: LinkRecord, version: string): void {
    tx.put(this.#links, link.id, { ...link, releaseId: this.releases.join(tx, project, version) })
    this.#changed(tx, project.id)
  }

  /** Throws `not_found` if the project does not offer the file. */
  remove(tx: Transaction, projectId: string, fileId: string): void {
    const link = this.find(projectId, fileId)
    if (!link) throw notFound('File')
    tx.delete(this.#links, link.id)
    this.#leave(tx, link)
    this.#changed(tx, projectId)
  }

  /** Deletes a release without files. Throws `not_found`, and `in_use` while it has files. */
  removeRelease(tx: Transaction, releaseId: string): void {
    const release = this.releases.find(releaseId)
    if (!release) throw notFound('Release')

    const count = this.ofRelease(releaseId).length
    if (count > 0) {
      throw new AppError(
        'in_use',
        `The release ${release.version} has ${formatFiles(count)}. ` +
          'Remove them from the project first',
      )
    }

    this.releases.remove(tx, releaseId)
  }

  /** Removes and returns all links of a file, in the transaction that deletes it. */
  takeOfFile(tx: Transaction, fileId: string): readonly LinkRecord[] {
    const links = this.#take(tx, this.ofFile(fileId))
    for (const link of links) this.#leave(tx, link)
    return links
  }

  /** Removes a release with its links, and returns them, in the transaction that trashes it. */
  takeRelease(
    tx: Transaction,
    { id, projectId }: Pick<ReleaseRecord, 'id' | 'projectId'>,
  ): readonly LinkRecord[] {
    this.releases.remove(tx, id)
    this.#changed(tx, projectId)
    return this.#take(tx, this.ofRelease(id))
  }

  /**
   * Removes and returns all links of a project, in the transaction that deletes it and its
   * releases.
   */
  takeOfProject(tx: Transaction, projectId: string): readonly LinkRecord[] {
    return this.#take(tx, this.ofProject(projectId))
  }

  putBack(tx: Transaction, links: readonly LinkRecord[]): void {
    for (const link of links) if (!this.#links.has(link.id)) tx.put(this.#links, link.id, link)
  }

  /** Leaves the release of a link. A transaction removes at most one link of a release. */
  #leave(tx: Transaction, { releaseId }: LinkRecord): void {
    if (releaseId !== null && this.ofRelease(releaseId).length === 1)
      this.releases.leave(tx, releaseId)
  }

  #take(tx: Transaction, live: readonly LinkRecord[]): readonly LinkRecord[] {
    const links = [...live]
    for (const { id } of links) tx.delete(this.#links, id)
    return links
  }

  /**
   * Saved in a counter, so that a link does not rewrite the project with its description of up to
   * 20,000 characters.
   */
  #changed(tx: Transaction, projectId: string): void {
    tx.setCounter(changedName(projectId), this.clock.now().getTime())
  }
}

/** Counter of the last change, in ms since 1970. */
const changedName = (projectId: string) => `project:${projectId}:linked`

function newestFirst(a: LinkRecord, b: LinkRecord): number {
  if (a.position !== b.position) return b.position - a.position
  return a.id === b.id ? 0 : a.id < b.id ? 1 : -1
}

/** Returns the platform as entered, else that of the package. */
export function platformOfLink(
  { platform }: LinkRecord,
  file: { facts?: PackageSummary | null | undefined } | undefined,
) {
  const kind = file?.facts?.kind
  return platform ?? (kind && describeKind(kind).platform) ?? null
}
