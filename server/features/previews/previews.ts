import type { Accounts } from '../../compose/accounts'
import type { Files } from '../../compose/files'
import type { Projects } from '../../compose/projects'
import { DAY_MS } from '../../core/clock'
import { notFound } from '../../core/errors'
import type { Log } from '../../core/logging/log'
import { Serial } from '../../core/serial'
import type { TrustedClock } from '../../data/library/trusted-clock'
import type { FileRecord } from '../../data/records/file-records'
import type { PreviewRecord, ProjectRecord } from '../../data/records/project-records'
import { fileIdsOf, type PreviewChange } from './preview-store'

/** A file that no preview has moves to the trash after this, in ms: its push was cut off. */
const UNUSED_MS = DAY_MS

interface Deps {
  files: Pick<Files, 'store'>
  projects: Projects
  deleteFile: (file: FileRecord) => Promise<void>
  audit: Accounts['audit']
  /** A clock that jumps ahead must end none for good. */
  clock: Pick<TrustedClock, 'now'>
  log: Pick<Log, 'warn'>
}

/**
 * Changes and ends previews, and moves the files of builds that are no longer kept to the trash.
 *
 * The record changes first; then each file leaves in a transaction of its own. A crash between them
 * leaves files that no preview has. `sweep` finds those.
 */
export class Previews {
  readonly #sweeps = new Serial()

  constructor(private readonly deps: Deps) {}

  /** Creates or changes a preview. Throws as `PreviewStore.put`, and `not_found` for its files. */
  async put(project: ProjectRecord, change: PreviewChange): Promise<PreviewRecord> {
    const { files, projects, clock } = this.deps

    // Expired ones must not take the places of new ones.
    for (const preview of projects.previews.expired(clock.now()))
      if (preview.projectId === project.id) await this.#end(preview)

    const { preview, dropped } = await projects.previews.put(project, change, () => {
      for (const id of change.fileIds ?? [])
        if (files.store.find(id)?.previewOf !== project.id) throw notFound('File')
    })

    await this.#trash(dropped)

    // A restored host may lack the key that the address is sealed with.
    const hasAddress = projects.previews.tokenOf(preview) !== undefined
    return hasAddress ? preview : projects.previews.renew(project.id, preview.id)
  }

  /** Ends a preview at once. Throws `not_found`. */
  async end(preview: PreviewRecord): Promise<void> {
    await this.deps.projects.previews.end(preview)
    await this.#trash(fileIdsOf(preview))
  }

  /** Ends expired previews, and moves files that no preview has to the trash. */
  sweep(): Promise<void> {
    return this.#sweeps.run(async () => {
      try {
        const { files, projects, clock } = this.deps
        for (const preview of projects.previews.expired(clock.now())) await this.#end(preview)

        const before = new Date(clock.now().getTime() - UNUSED_MS).toISOString()
        const unused = files.store.forPreviews().filter(({ uploadedAt }) => uploadedAt < before)
        await this.#trash(unused.map(({ id }) => id))
      } catch (err) {
        // Retried in an hour, or at the next start.
        this.deps.log.warn({ err }, 'cannot move the builds of ended previews to the trash')
      }
    })
  }

  /** Resolves when no sweep runs any more. */
  stop(): Promise<void> {
    return this.#sweeps.idle()
  }

  async #end(preview: PreviewRecord): Promise<void> {
    const { projects, audit } = this.deps
    // Another request may have ended it.
    if (!projects.previews.find(preview.projectId, preview.id)) return

    await this.end(preview)
    const { name: subject, ownerId: concerns } = preview
    const detail = projects.store.find(preview.projectId)?.title ?? ''
    audit.recordHost({ kind: 'preview_end', subject, detail, concerns })
  }

  async #trash(fileIds: readonly string[]): Promise<void> {
    const { files, projects, deleteFile } = this.deps

    for (const id of fileIds) {
      const file = files.store.find(id)
      if (file?.previewOf !== undefined && !projects.previews.holdsFile(id)) await deleteFile(file)
    }
  }
}
