import type { Accounts } from '../../compose/accounts'
import type { Files } from '../../compose/files'
import type { Projects } from '../../compose/projects'
import type { Sources } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import { Serial } from '../../core/serial'
import type { Library, Transaction } from '../../data/library/library'
import { notesBytes, type ProjectRecord } from '../../data/records/project-records'
import type { TrashRecord } from '../../data/records/trash-record'

interface Deps {
  library: Library
  files: Files
  projects: Projects
  sources: Sources
  audit: Accounts['audit']
  log: Pick<Log, 'warn'>
}

type Rooms = Pick<Deps, 'files' | 'projects'>
type Limit = NonNullable<ProjectRecord['retention']>[number]
/** A release that a channel no longer keeps, with the files to remove. */
type OldRelease = Omit<Extract<TrashRecord, { kind: 'release' }>['value'], 'links'>

/** Yields such releases of a channel, the oldest first. */
export type FindOld = (
  rooms: Rooms,
  project: ProjectRecord,
  limit: Limit,
) => Iterator<OldRelease, void>

/**
 * Moves the releases that a channel no longer keeps to the trash in the background, each in its own
 * transaction. Each transaction decides by the current library, so that a crash or another change
 * between two of them loses nothing.
 */
export class Retention {
  readonly #queues = new Map<string, Serial>()
  readonly #waiting = new Set<string>()
  #findOld: FindOld | undefined

  constructor(private readonly deps: Deps) {}

  /** Starts, and continues what a crash or a full disk interrupted. */
  start(findOld: FindOld): void {
    this.#findOld = findOld
    this.followAll()
  }

  /**
   * Checks a project soon, if it has a limit. Resolves when the check is done, even if it failed.
   */
  follow({ id, retention = [] }: Pick<ProjectRecord, 'id' | 'retention'>): Promise<void> {
    if (retention.length === 0 || !this.#findOld) return Promise.resolve()
    const queue = this.#queues.get(id) ?? new Serial()
    this.#queues.set(id, queue)
    if (!this.#waiting.has(id)) void queue.run(() => this.#look(id))
    this.#waiting.add(id)
    return queue.idle()
  }

  /** Checks all projects. */
  followAll(): void {
    for (const project of this.deps.library.collection('projects').values())
      void this.follow(project)
  }

  /** Resolves when no check is pending. */
  async idle(): Promise<void> {
    await Promise.all([...this.#queues.values()].map((queue) => queue.idle()))
  }

  /** Stops after the current release. */
  stop(): Promise<void> {
    this.#findOld = undefined
    return this.idle()
  }

  async #look(projectId: string): Promise<void> {
    this.#waiting.delete(projectId)
    try {
      for (const { channel } of this.deps.projects.store.find(projectId)?.retention ?? [])
        await this.#limit(projectId, channel)
    } catch (err) {
      // Retried at the next release, the next hour or the next start.
      this.deps.log.warn({ err }, 'cannot move the old releases of a project to the trash')
    }
  }

  async #limit(projectId: string, channel: string): Promise<void> {
    const { library, projects, files, audit } = this.deps
    let old: Iterator<OldRelease, void> | undefined
    let revision = -1
    for (;;) {
      const moving = library.transact((tx) => {
        const project = projects.store.find(projectId)
        const limit = project?.retention?.find((it) => it.channel === channel)
        if (!project || !limit || !this.#findOld) return undefined

        if (!old || library.revision !== revision)
          old = this.#findOld({ files, projects }, project, limit)
        const oldest = old.next()

        if (oldest.done === true) return undefined
        return {
          project,
          limit,
          release: oldest.value.release,
          outgrown: this.#trash(tx, project, oldest.value),
        }
      })

      // If the revision is the same in the next transaction, nothing else has changed the library.
      ;({ revision } = library)

      const moved = await moving
      if (!moved) return
      await files.trash.erase(moved.outgrown)

      const { project, limit, release } = moved
      const detail = `${project.title}: ${channel} keeps the last ${limit.keep}`

      audit.recordHost({
        kind: 'release_trash',
        subject: release.version,
        detail,
        concerns: project.ownerId,
      })
    }
  }

  /** Moves a release to the trash. Returns the items that the trash evicts. */
  #trash(
    tx: Transaction,
    project: ProjectRecord,
    { release, files: gone }: OldRelease,
  ): TrashRecord[] {
    const { sources, files, projects } = this.deps
    const links = projects.store.links.takeRelease(tx, release)
    for (const file of gone) files.store.drop(tx, file)

    const name = `${project.title} ${release.version}`
    const size = gone.reduce((sum, file) => sum + file.size, notesBytes(release))
    const item = { id: sources.newId(), ownerId: project.ownerId, name, size, blobId: null }
    return files.trash.put(tx, { ...item, kind: 'release', value: { release, links, files: gone } })
  }
}
