import { hashOfToken } from '../../access/link-token'
import type { Sources } from '../../core/clock'
import type { Log } from '../../core/logging/log'
import type { Library } from '../../data/library/library'
import type { FileRecord, ShareLinkRecord } from '../../data/records/file-records'
import type { Plan } from '../../http/send/download-plan'
import { Downloads, KEPT_MS, type Download } from '../stats/downloads'
import { linkEnded } from '../../access/link-ended'
import type { ShareLinkStore } from './share-link-store'

type Unfinished = ShareLinkRecord['unfinished'][number]

/** An unfinished download since the start of the host. */
interface Progress {
  readonly requests: number
  /** Of its last request, in ms since 1970. */
  readonly touchedAt: number
  readonly isDone: boolean
}

interface Deps {
  library: Library
  links: ShareLinkStore
  sources: Sources
  log: Log
}

/**
 * Counts the downloads of share links with a limit, so that no more complete than the link allows.
 *
 * A download holds a place from before its first byte, in the link's record: 10 requests at once
 * get one place of one, also after a crash. Each later request of the same visitor for a part of
 * the file belongs to it; a request for the whole file does only while no other is running, as a
 * retry.
 *
 * A place is counted when every byte has been sent, and free again 30 minutes after the last
 * request of a download that did not complete. If the disk is full at the end, the place is kept
 * until the host restarts.
 */
export class LimitedDownloads {
  readonly #progress = new Map<string, Progress>()
  readonly #startedAt: number
  readonly #bytes: Downloads

  constructor(private readonly deps: Deps) {
    this.#startedAt = this.#now()
    this.#bytes = new Downloads({ downloaded: this.#complete }, deps.sources)
  }

  /** Whether a visitor may begin or continue a download. */
  isOpenTo({ mostDownloads, completed, ...link }: ShareLinkRecord, visitor: string): boolean {
    if (mostDownloads === null) return true
    const own = nameVisitor(link.id, visitor)
    const others = this.#holding(link).filter((it) => it.visitor !== own)
    return completed + others.length < mostDownloads
  }

  /**
   * Begins a download of a link, or continues one. Returns undefined if the link has no limit.
   * Throws `not_found` if it has no place left.
   */
  async begin(
    { id: linkId, mostDownloads }: ShareLinkRecord,
    file: FileRecord,
    visitor: string,
    plan: Plan,
  ): Promise<Download | undefined> {
    if (mostDownloads === null) return undefined
    const { start, size } = extentOf(plan)
    const place = await this.#takePlace(linkId, visitor, size < file.size)
    if (!place) return undefined

    const { id, isUnknown } = place
    const download = this.#bytes.begin(id, file, { linkId })
    // After a restart: a client that resumes has the bytes before.
    if (isUnknown && start > 0) download.delivered({ start: 0, end: start - 1 }, true)

    return {
      delivered: (range, isSure) => download.delivered(range, isSure),
      end: () => {
        download.end()
        this.#release(id)
        if (file.size === 0) this.#complete(id, file.id, { linkId })
      },
    }
  }

  /** Counts running downloads: the library closes before they end. */
  countRunning(): void {
    this.#bytes.countRunning()
  }

  /** Returns undefined without a limit. `isUnknown`: the place is of an earlier start. */
  async #takePlace(linkId: string, visitor: string, isPart: boolean) {
    const { library, links, sources } = this.deps
    const own = nameVisitor(linkId, visitor)
    let taken: { id: string; isUnknown: boolean } | undefined

    const isResumedBy = ({ id, visitor: holder }: Unfinished) => {
      const { requests = 0, isDone = false } = this.#progress.get(id) ?? {}
      return holder === own && !isDone && (isPart || requests === 0)
    }

    try {
      await library.transact((tx) => {
        const link = links.collection.get(linkId)
        if (link?.mostDownloads == null) return

        const holding = this.#holding(link)
        const resumed = holding.find(isResumedBy)
        if (!resumed && link.completed + holding.length >= link.mostDownloads) throw linkEnded()

        const id = resumed?.id ?? sources.newId()
        const place = { id, visitor: own, at: sources.now().toISOString() }
        const others = holding.filter((it) => it !== resumed)
        tx.put(links.collection, linkId, { ...link, unfinished: [...others, place] })

        taken = { id, isUnknown: resumed !== undefined && !this.#progress.has(id) }
        this.#follow(id)
      })
    } catch (cause) {
      if (taken) this.#release(taken.id)
      throw cause
    }

    return taken
  }

  #complete = (id: string, _fileId: string, { linkId = '' }) => {
    const { library, links, log } = this.deps
    const progress = this.#progress.get(id)
    if (progress) this.#progress.set(id, { ...progress, isDone: true })

    const counting = library.transact((tx) => {
      const link = links.collection.get(linkId)
      if (!link?.unfinished.some((it) => it.id === id)) return
      const unfinished = link.unfinished.filter((it) => it.id !== id)
      tx.put(links.collection, linkId, { ...link, completed: link.completed + 1, unfinished })
    })

    counting.then(
      () => this.#progress.delete(id),
      (error: unknown) => log.warn({ error }, 'cannot count a download of a share link'),
    )
  }

  /** The unfinished downloads that hold a place. */
  #holding({ unfinished }: Pick<ShareLinkRecord, 'unfinished'>): Unfinished[] {
    const now = this.#now()

    return unfinished.filter(({ id, at }) => {
      const touchedAt = Math.max(Date.parse(at), this.#startedAt)
      return isHeld(this.#progress.get(id) ?? { requests: 0, touchedAt, isDone: false }, now)
    })
  }

  #follow(id: string): void {
    this.#forgetOld()
    const { requests = 0, isDone = false } = this.#progress.get(id) ?? {}
    this.#progress.set(id, { requests: requests + 1, touchedAt: this.#now(), isDone })
  }

  #release(id: string): void {
    const progress = this.#progress.get(id)
    if (progress)
      this.#progress.set(id, {
        ...progress,
        requests: progress.requests - 1,
        touchedAt: this.#now(),
      })
  }

  /** Forgets downloads that hold no place, such as those of ended links. */
  #forgetOld(): void {
    for (const [id, progress] of this.#progress)
      if (!isHeld(progress, this.#now())) this.#progress.delete(id)
  }

  #now = () => this.deps.sources.now().getTime()
}

// The clock may have been set back.
const isHeld = ({ requests, touchedAt, isDone }: Progress, now: number) =>
  isDone || requests > 0 || Math.abs(now - touchedAt) < KEPT_MS

/** Differs for each link, so that records do not tell who used several. */
const nameVisitor = (linkId: string, visitor: string) => hashOfToken(`${linkId} ${visitor}`)

/** The first byte and the number of bytes of the file that a reply sends. */
function extentOf({ pieces }: Plan): { start: number; size: number } {
  const ranges = pieces.filter((piece) => typeof piece !== 'string')
  const start = ranges.reduce((first, range) => Math.min(first, range.start), Infinity)
  const size = ranges.reduce((sum, range) => sum + range.end - range.start + 1, 0)
  return { start: ranges.length === 0 ? 0 : start, size }
}
