import type { Collection, Index, Library, Transaction } from '../../data/library/library'
import type { Sources } from '../../core/clock'
import type { Entry, FolderSearch } from './folder-look'
import type {
  WatchRecord,
  WatchedBuildRecord,
  WatchedFileRecord,
} from '../../data/records/watch-records'

type Outcome = WatchedFileRecord['outcome']

export type WatchChange = Pick<
  WatchRecord,
  keyof FolderSearch | 'versionFrom' | 'isPublic' | 'isPaused'
>

export type NewWatch = Omit<WatchRecord, 'id' | 'createdAt' | 'isPaused'>

const seenId = (watchId: string, name: string) => `${watchId}/${name}`
const takenId = (projectId: string, sha256: string) => `${projectId}/${sha256}`

/** The watched folders of all projects, and the state of their files. */
export class WatchStore {
  readonly #watches: Collection<WatchRecord>
  readonly #seen: Collection<WatchedFileRecord>
  readonly #taken: Collection<WatchedBuildRecord>
  readonly #byProject: Index<WatchRecord>
  readonly #seenIn: Index<WatchedFileRecord>
  readonly #takenFrom: Index<WatchedBuildRecord>

  constructor(
    private readonly library: Library,
    private readonly sources: Sources,
  ) {
    this.#watches = library.collection('watches')
    this.#seen = library.collection('watchedFiles')
    this.#taken = library.collection('watchedBuilds')
    this.#byProject = this.#watches.index((watch) => watch.projectId)

    this.#seenIn = this.#seen.index((file) =>
      file.outcome === 'present' ? undefined : file.watchId,
    )

    this.#takenFrom = this.#taken.index((build) => build.watchId)
  }

  find(id: string): WatchRecord | undefined {
    return this.#watches.get(id)
  }

  all(): WatchRecord[] {
    return [...this.#watches.values()]
  }

  ofProject(projectId: string): readonly WatchRecord[] {
    return this.#byProject.get(projectId)
  }

  isSeen(watchId: string, { name, size, modifiedMs }: Entry): boolean {
    const file = this.#seen.get(seenId(watchId, name))
    return file !== undefined && file.size === size && file.modifiedMs === modifiedMs
  }

  /** Whether any watched folder published these bytes on the project. */
  hasTaken(projectId: string, sha256: string): boolean {
    return this.#taken.has(takenId(projectId, sha256))
  }

  /** Lists published builds, oldest first. */
  takenFrom(watchId: string): readonly WatchedBuildRecord[] {
    return this.#takenFrom.get(watchId)
  }

  /** Lists handled files, including failed ones. */
  dealtWith(watchId: string): readonly WatchedFileRecord[] {
    return this.#seenIn.get(watchId)
  }

  /** Adds a folder. Files in `present` are ignored until they change. */
  async add(watch: NewWatch, present: readonly Entry[]): Promise<WatchRecord> {
    const own = { id: this.sources.newId(), isPaused: false, createdAt: this.#now() }
    const record: WatchRecord = { ...watch, ...own }
    await this.library.transact((tx) => {
      tx.put(this.#watches, record.id, record)
      for (const entry of present) this.#see(tx, record.id, entry, 'present')
    })
    return record
  }

  /** Changes a folder and retries failed files. Returns undefined if the folder was removed. */
  change(
    id: string,
    change: WatchChange,
    present: readonly Entry[],
  ): Promise<WatchRecord | undefined> {
    return this.library.transact((tx) => {
      const current = this.#watches.get(id)
      if (!current) return undefined

      for (const file of this.dealtWith(id))
        if (file.outcome === 'failed') tx.delete(this.#seen, file.id)

      const unknown = present.filter((entry) => !this.isSeen(id, entry))
      for (const entry of unknown) this.#see(tx, id, entry, 'present')

      const changed = { ...current, ...change }
      tx.put(this.#watches, id, changed)
      return changed
    })
  }

  async remove(id: string): Promise<void> {
    await this.library.transact((tx) => this.#drop(tx, id))
  }

  /** Removes all folders of a project, in the transaction that permanently deletes it. */
  forgetProject(tx: Transaction, projectId: string): void {
    for (const { id } of this.ofProject(projectId)) this.#drop(tx, id)
  }

  /** Records the outcome of an unpublished file, unless the watch was removed. */
  async remember(
    watchId: string,
    entry: Entry,
    outcome: Outcome,
    error: string | null = null,
  ): Promise<void> {
    await this.library.transact((tx) => {
      if (this.#watches.has(watchId)) this.#see(tx, watchId, entry, outcome, error)
    })
  }

  /** Records a publication, in the transaction that adds the file. */
  published(
    tx: Transaction,
    watch: WatchRecord,
    entry: Entry,
    file: Pick<WatchedBuildRecord, 'version' | 'warnings'> & { sha256: string },
  ): void {
    const { id: watchId, projectId } = watch
    const id = takenId(projectId, file.sha256)

    this.#see(tx, watchId, entry, 'published')

    const build = {
      filename: entry.name,
      version: file.version,
      warnings: file.warnings,
      at: this.#now(),
    }
    tx.put(this.#taken, id, { id, projectId, watchId, ...build })
  }

  #see(
    tx: Transaction,
    watchId: string,
    entry: Entry,
    outcome: Outcome,
    error: string | null = null,
  ): void {
    const id = seenId(watchId, entry.name)
    tx.put(this.#seen, id, { ...entry, id, watchId, outcome, error, at: this.#now() })
  }

  #drop(tx: Transaction, id: string): void {
    tx.delete(this.#watches, id)
    for (const file of this.#seen.values()) if (file.watchId === id) tx.delete(this.#seen, file.id)
    for (const build of this.takenFrom(id)) tx.delete(this.#taken, build.id)
  }

  #now(): string {
    return this.sources.now().toISOString()
  }
}
