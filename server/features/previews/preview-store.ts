import { PREVIEW_BUILDS, PREVIEW_DAYS, PREVIEWS_MAX } from '../../contract'
import { DAY_MS, type Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
import type { Index, Library } from '../../data/library/library'
import type { PreviewRecord, ProjectRecord } from '../../data/records/project-records'
import { AccessLinks } from '../access-links/access-links'

interface Deps {
  library: Library
  sources: Sources
  sessionKeys: readonly string[]
}

/** A change of a preview. Undefined keeps a value. */
export interface PreviewChange {
  name: string
  /** The files of a new build. */
  fileIds?: readonly string[] | undefined
  title?: string | undefined
  requestUrl?: string | null | undefined
  commit?: string | null | undefined
  /** From now. */
  days?: number | undefined
  keep?: number | undefined
  /** Only this preview may be changed. */
  previewId?: string | undefined
}

/**
 * The previews of all projects. A preview keeps its token sealed, so that each push gets the same
 * address again; one that ends takes its address with it.
 */
export class PreviewStore extends AccessLinks<PreviewRecord, never> {
  readonly #sources: Sources
  readonly #byFile: Index<PreviewRecord>

  constructor(deps: Deps) {
    super(
      { ...deps, collection: deps.library.collection('previews') },
      {
        noun: 'Preview',
        targetOf: (preview) => preview.projectId,
        target: 'A project',
        most: PREVIEWS_MAX,
        usualDays: PREVIEW_DAYS.usual,
        verb: 'End',
      },
    )
    this.#sources = deps.sources
    this.#byFile = this.collection.indexMany(fileIdsOf)
  }

  /** Finds the preview of this name, also one that has expired. */
  named(projectId: string, name: string): PreviewRecord | undefined {
    return this.ofTarget(projectId).find((preview) => preview.name === name)
  }

  /** Returns a preview that has not expired. Throws `not_found`. */
  requireNamed(projectId: string, name: string): PreviewRecord {
    const preview = this.named(projectId, name)
    if (!preview || !this.isCurrent(preview)) throw notFound('Preview')
    return preview
  }

  /** Lists the previews that have expired by a clock that may delete, of all projects. */
  expired(now: Date): PreviewRecord[] {
    const at = now.toISOString()
    return [...this.collection.values()].filter(({ expiresAt }) => expiresAt <= at)
  }

  /** Whether the preview with this id has a file. */
  offers(id: string, fileId: string): boolean {
    return this.#byFile.get(fileId).some((preview) => preview.id === id)
  }

  /** Whether a preview has a file. */
  holdsFile(fileId: string): boolean {
    return this.#byFile.get(fileId).length > 0
  }

  /**
   * Creates or changes the preview of a name. Returns it with the files of builds that it no longer
   * keeps. `checkFiles` runs in the transaction. Throws what that throws, `too_many_records`, and
   * `gone` if `previewId` names a preview that has ended.
   */
  put(
    { id: projectId, ownerId }: ProjectRecord,
    { name, previewId, days, ...change }: PreviewChange,
    checkFiles: () => void,
  ): Promise<{ preview: PreviewRecord; dropped: readonly string[] }> {
    return this.library.transact((tx) => {
      checkFiles()
      const now = this.#sources.now()
      const end = new Date(now.getTime() + (days ?? PREVIEW_DAYS.usual) * DAY_MS).toISOString()

      const found = this.named(projectId, name)
      const before = found && this.isCurrent(found) ? found : undefined
      if (previewId !== undefined && before?.id !== previewId) {
        const message = `The preview ${name} has ended, so this build was not added to it`
        throw new AppError('gone', message)
      }
      if (found && !before) this.remove(tx, found)

      const created = {
        name,
        passwordHash: null,
        projectId,
        title: '',
        requestUrl: null,
        builds: [],
      }
      const preview = applyChange(
        before ??
          this.addLink(tx, { targetId: projectId, ownerId, expiresAt: end }, (terms) => ({
            ...terms,
            ...created,
            keep: PREVIEW_BUILDS.usual,
          })),
        change,
        now.toISOString(),
      )

      // A push extends a preview, and never shortens it unless the caller says so.
      const expiresAt = days === undefined && end < preview.expiresAt ? preview.expiresAt : end
      tx.put(this.collection, preview.id, { ...preview, expiresAt })

      const kept = new Set(fileIdsOf(preview))
      const dropped = fileIdsOf(found ?? preview).filter((id) => !kept.has(id))
      return { preview: { ...preview, expiresAt }, dropped }
    })
  }
}

/** The files of all builds of a preview, each once. */
export const fileIdsOf = ({ builds }: Pick<PreviewRecord, 'builds'>): string[] => [
  ...new Set(builds.flatMap(({ fileIds }) => fileIds)),
]

function applyChange(
  preview: PreviewRecord,
  { fileIds, title, requestUrl, commit, keep }: Omit<PreviewChange, 'name' | 'previewId' | 'days'>,
  createdAt: string,
): PreviewRecord {
  const [newest] = preview.builds
  const isSame = newest !== undefined && fileIds?.toString() === newest.fileIds.toString()
  const most = keep ?? preview.keep
  let { builds } = preview

  if (isSame) builds = [{ ...newest, commit: commit ?? newest.commit }, ...builds.slice(1)]
  else if (fileIds) {
    const number = (newest?.number ?? 0) + 1
    builds = [{ number, commit: commit ?? null, fileIds, createdAt }, ...builds]
  }

  return {
    ...preview,
    title: title ?? preview.title,
    requestUrl: requestUrl === undefined ? preview.requestUrl : requestUrl,
    keep: most,
    builds: builds.slice(0, most),
  }
}
