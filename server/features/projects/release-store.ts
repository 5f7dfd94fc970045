import type { Allowance } from '../../access/allowance'
import { AppError, notFound } from '../../core/errors'
import type { Clock } from '../../core/clock'
import { newestFirst, usualChannel, type Ordered } from '../../core/versions'
import type {
  Collection,
  Index,
  Library,
  SortedIndex,
  Transaction,
} from '../../data/library/library'
import { releaseId } from '../../data/library/migrations/releases-from-links'
import { notesBytes, type ReleaseRecord } from '../../data/records/project-records'

type Owned = Readonly<Record<'id' | 'ownerId', string>>

/** The fields of a release that a person can change. */
export interface Details extends Pick<ReleaseRecord, 'channel' | 'notes' | 'state'> {
  /** In percent. */
  rollout?: number | undefined
}

/** The most releases of a project that can be created without files. */
const MAX_CREATED = 5000
/** The most releases of an account: a release without notes uses no quota. */
const MAX_OWNED = 10_000

/** The releases of all projects. */
export class ReleaseStore {
  readonly #releases: Collection<ReleaseRecord>
  readonly #byProject: SortedIndex<ReleaseRecord>
  readonly #unpublished: Index<ReleaseRecord>
  readonly #owned: { get(userId: string): number }

  constructor(
    private readonly library: Library,
    private readonly clock: Pick<Clock, 'now'>,
    private readonly allowance: Pick<Allowance, 'text'>,
  ) {
    this.#releases = library.collection('releases')
    this.#byProject = this.#releases.sorted(
      (release) => [release.projectId],
      (a, b) => newestFirst(toSortKey(a, null), toSortKey(b, null)),
    )

    this.#unpublished = this.#releases.index((release) =>
      release.state === 'published' ? undefined : 'all',
    )

    this.#owned = this.#releases.count((release) => release.ownerId)
  }

  find(id: string): ReleaseRecord | undefined {
    return this.#releases.get(id)
  }

  /**
   * Finds a release by its version. A tag and a package spell a version in two ways: `v1.0.0` finds
   * the release `1.0.0`, and the reverse.
   */
  ofVersion(projectId: string, version: string): ReleaseRecord | undefined {
    const named = this.#releases.get(releaseId(projectId, version))
    if (named || !/^v?\d/.test(version)) return named
    const other = version.startsWith('v') ? version.slice(1) : `v${version}`
    return this.#releases.get(releaseId(projectId, other))
  }

  /**
   * Lists the releases of a project, newest version first. Equal versions are sorted by time, not
   * by their build numbers. The list is live.
   */
  ofProject(projectId: string): readonly ReleaseRecord[] {
    return this.#byProject.get(projectId)
  }

  /** The drafts and withdrawn releases of all projects. */
  unpublished(): readonly ReleaseRecord[] {
    return this.#unpublished.get('all')
  }

  /**
   * Returns the id of the release for a new link. Creates a published one if the project has none
   * of this version. Throws `invalid_input` if it is on another channel than the requested one.
   */
  join(tx: Transaction, project: Owned, version: string, channel?: string): string {
    const existing = this.ofVersion(project.id, version)
    if (existing && channel !== undefined && existing.channel !== channel)
      throw onAnotherChannel(existing)
    if (existing) return existing.id

    const place = channel ?? usualChannel(version)
    const release = this.#new(project, {
      version,
      channel: place,
      notes: '',
      state: 'published',
      isKept: false,
    })
    tx.put(this.#releases, release.id, release)
    return release.id
  }

  /** Removes a release that lost its last link, unless a person created or changed it. */
  leave(tx: Transaction, id: string): void {
    if (this.#releases.get(id)?.isKept === false) this.remove(tx, id)
  }

  /** Throws `too_many_records`. */
  requireRoom(ownerId: string, more: number): void {
    if (this.#owned.get(ownerId) + more <= MAX_OWNED) return
    throw new AppError(
      'too_many_records',
      `An account can have ${MAX_OWNED} releases. Delete some without files`,
    )
  }

  /** Throws `taken`, `too_many_records` and `quota_exceeded`. */
  create(
    project: Owned,
    version: string,
    details: Omit<Details, 'channel'> & { channel?: string | undefined },
  ) {
    return this.library.transact((tx) => {
      if (this.ofVersion(project.id, version)) {
        throw new AppError('taken', `The project already has the release ${version}`, 'version')
      }

      if (this.ofProject(project.id).length >= MAX_CREATED) {
        throw new AppError(
          'too_many_records',
          `A project can have ${MAX_CREATED} releases without files`,
        )
      }

      this.requireRoom(project.ownerId, 1)
      const { channel = usualChannel(version), notes, state, rollout } = details
      const release = this.#new(project, { version, channel, notes, state, rollout, isKept: true })

      this.allowance.text(project.ownerId, notesBytes(release))
      tx.put(this.#releases, release.id, release)
      return release
    })
  }

  /** Deletes a release, in the transaction that found it without files. */
  remove(tx: Transaction, id: string): void {
    tx.delete(this.#releases, id)
  }

  /**
   * Changes a release, and runs `also` in the same transaction. Returns it before and after. Throws
   * `not_found` and `quota_exceeded`.
   */
  change(
    id: string,
    details: Partial<Details>,
    also: (tx: Transaction) => void = () => undefined,
  ): Promise<{ before: ReleaseRecord; release: ReleaseRecord }> {
    return this.library.transact((tx) => {
      const before = this.#releases.get(id)
      if (!before) throw notFound('Release')

      const now = this.clock.now().toISOString()
      const promotedAt =
        (details.channel ?? before.channel) === before.channel ? before.promotedAt : now
      const { rollout = before.rollout } = details

      const broughtBackAt = findBroughtBack(before, { ...before, ...details }, now)
      const dates = { promotedAt, broughtBackAt, updatedAt: now }
      const changed = { ...before, ...details, ...dates, rollout: toStored(rollout), isKept: true }
      const release = { ...changed, publishedAt: before.publishedAt ?? this.#publishedAt(changed) }

      this.allowance.text(before.ownerId, notesBytes(release) - notesBytes(before))
      tx.put(this.#releases, id, release)
      also(tx)
      return { before, release }
    })
  }

  /** Removes and returns the releases of a project, in the transaction that deletes it. */
  takeOfProject(tx: Transaction, projectId: string): readonly ReleaseRecord[] {
    const releases = [...this.ofProject(projectId)]
    for (const { id } of releases) tx.delete(this.#releases, id)
    return releases
  }

  /** Restores the missing ones of these releases unchanged. */
  putBack(tx: Transaction, releases: readonly ReleaseRecord[]): void {
    for (const release of releases)
      if (!this.#releases.has(release.id)) tx.put(this.#releases, release.id, release)
  }

  /** Restores the missing ones of these releases. The limit of their channel ignores them. */
  bringBack(tx: Transaction, releases: readonly ReleaseRecord[]): void {
    const broughtBackAt = this.clock.now().toISOString()
    this.putBack(
      tx,
      releases.map((release) => ({ ...release, broughtBackAt })),
    )
  }

  #new(project: Owned, fields: Details & Pick<ReleaseRecord, 'version' | 'isKept'>) {
    const base = {
      id: releaseId(project.id, fields.version),
      projectId: project.id,
      ownerId: project.ownerId,
    }
    const createdAt = this.clock.now().toISOString()
    const rollout = toStored(fields.rollout)
    return { ...base, ...fields, rollout, createdAt, publishedAt: this.#publishedAt(fields) }
  }

  #publishedAt({ state }: Pick<ReleaseRecord, 'state'>): string | null {
    return state === 'published' ? this.clock.now().toISOString() : null
  }
}

const onAnotherChannel = ({ version, channel }: ReleaseRecord) =>
  new AppError(
    'invalid_input',
    `The release ${version} is on the channel ${channel}: promote it instead`,
    'channel',
  )

/**
 * Returns when a person restored a release: the limit of its channel then ignores it, until the
 * release moves to another channel.
 */
function findBroughtBack(
  before: ReleaseRecord,
  after: ReleaseRecord,
  now: string,
): string | undefined {
  if (before.state === 'withdrawn' && after.state === 'published') return now
  return before.channel === after.channel ? before.broughtBackAt : undefined
}

/** A rollout to all apps is stored as none. */
const toStored = (rollout: number | undefined) => (rollout === 100 ? undefined : rollout)

/** Returns the sort key of a release. `build`: the highest build number of its files. */
export const toSortKey = (
  { id, version, publishedAt, createdAt }: ReleaseRecord,
  build: string | null,
): Ordered => ({
  id,
  version,
  build,
  at: publishedAt ?? createdAt,
})

/** Whether users of a channel get a release: they also get stable releases. */
export const isOn = (channel: string, release: Pick<ReleaseRecord, 'channel'>): boolean =>
  release.channel === channel || release.channel === 'stable'
