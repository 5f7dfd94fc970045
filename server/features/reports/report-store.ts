import { hashOfToken } from '../../access/link-token'
import { linkEnded } from '../../access/link-ended'
import type { Allowance } from '../../access/allowance'
import { REPORT_FILES_MAX, REPORT_GROUP_FILES, REPORT_REPLIES_MAX } from '../../contract'
import type { ReportState } from '../../contract/report-schemas'
import type { Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
import { compareVersions } from '../../core/versions'
import type { TrustedClock } from '../../data/library/trusted-clock'
import type { BlobStore } from '../../data/blobs/blob-store'
import {
  newestBy,
  type Collection,
  type Index,
  type Library,
  type SortedIndex,
  type Transaction,
  type UniqueIndex,
} from '../../data/library/library'
import {
  attachmentBytes,
  reportTextBytes,
  type AttachmentRecord,
  type ReportRecord,
} from '../../data/records/report-records'

/** What a reporter sends. */
export type NewReport = Omit<
  ReportRecord,
  | 'id'
  | 'state'
  | 'fixedIn'
  | 'closedAt'
  | 'isRepeat'
  | 'filesDeleted'
  | 'replies'
  | 'createdAt'
  | 'updatedAt'
>
/** What a reporter may correct until the team reacts. */
export type Correction = Pick<ReportRecord, 'text' | 'kind' | 'version' | 'from'>

interface Deps {
  library: Library
  blobs: Pick<BlobStore, 'remove'>
  sources: Sources
  clock: Pick<TrustedClock, 'stamp'>
  allowance: Allowance
}

/**
 * The reports of all projects. Those of a trashed project stay, but its pages open none of them.
 *
 * The bytes of files are durable before a record names them, and are removed after the record: a
 * crash in between leaves bytes that startup sets aside, never a record without bytes.
 */
export class ReportStore {
  readonly #reports: Collection<ReportRecord>
  readonly #byHash: UniqueIndex<ReportRecord>
  readonly #byProject: SortedIndex<ReportRecord>
  readonly #byGroup: SortedIndex<ReportRecord>
  readonly #byBlob: Index<ReportRecord>
  readonly #projectBytes: { get(projectId: string): number }
  readonly #open: { get(projectId: string): number }
  readonly #ofVersion: { get(key: string): number }
  readonly #fixedOfVersion: { get(key: string): number }

  constructor(private readonly deps: Deps) {
    this.#reports = deps.library.collection('reports')
    this.#byHash = this.#reports.uniqueIndex((report) => report.tokenHash)
    this.#byProject = this.#reports.sorted(
      (report) => [report.projectId],
      newestBy<ReportRecord>((report) => report.createdAt),
    )
    this.#byGroup = this.#reports.sorted(
      ({ projectId, signature }) =>
        signature === undefined ? [] : [JSON.stringify([projectId, signature])],
      newestBy<ReportRecord>((report) => report.createdAt),
    )
    this.#byBlob = this.#reports.indexMany(({ attachments }) =>
      attachments.map(({ blobId }) => blobId),
    )

    this.#projectBytes = this.#reports.sum(
      (report) => report.projectId,
      (report) => attachmentBytes(report) + reportTextBytes(report),
    )

    this.#open = this.#reports.sum(
      (report) => report.projectId,
      ({ state }) => Number(isOpen(state)),
    )
    const byVersion = ({ projectId, version }: ReportRecord) => versionKey(projectId, version)
    this.#ofVersion = this.#reports.count(byVersion)
    this.#fixedOfVersion = this.#reports.sum(byVersion, ({ state }) => Number(state === 'fixed'))
  }

  /** Lists the reports of a project, newest first. */
  ofProject(projectId: string): readonly ReportRecord[] {
    return this.#byProject.get(projectId)
  }

  /** Lists the reports of a project with one signature, newest first. */
  ofGroup(projectId: string, signature: string): readonly ReportRecord[] {
    return this.#byGroup.get(JSON.stringify([projectId, signature]))
  }

  /** Lists the reports of all projects. */
  all(): IterableIterator<ReportRecord> {
    return this.#reports.values()
  }

  /** Counts the reports of a project that the team has neither fixed nor closed. */
  countOpen(projectId: string): number {
    return this.#open.get(projectId)
  }

  /** Counts the reports about a version. */
  countOfVersion(projectId: string, version: string): { total: number; fixed: number } {
    const key = versionKey(projectId, version)
    return { total: this.#ofVersion.get(key), fixed: this.#fixedOfVersion.get(key) }
  }

  /** Whether a group keeps the files of another report: those of the first ones tell enough. */
  keepsFiles({ projectId, signature, version }: NewReport): boolean {
    if (signature === undefined) return true
    const same = this.ofGroup(projectId, signature).filter((it) => it.version === version)
    return same.length < REPORT_GROUP_FILES
  }

  /** Returns a report of a project. Throws `not_found`. */
  require(projectId: string, id: string): ReportRecord {
    const report = this.#reports.get(id)
    if (report?.projectId !== projectId) throw notFound('Report')
    return report
  }

  /** Finds the report with this secret in its address. */
  opened(token: string): ReportRecord | undefined {
    return this.#byHash.get(hashOfToken(token))
  }

  find(id: string): ReportRecord | undefined {
    return this.#reports.get(id)
  }

  /** Returns the bytes of all reports of a project, with their texts. */
  bytesOfProject(projectId: string): number {
    return this.#projectBytes.get(projectId)
  }

  /** Whether a file of a report has a blob. */
  holdsBlob(blobId: string): boolean {
    return this.#byBlob.get(blobId).length > 0
  }

  /** Adds a report. Throws `quota_exceeded`. */
  add(tx: Transaction, report: NewReport): ReportRecord {
    const { sources, allowance } = this.deps
    const now = sources.now().toISOString()
    const added: ReportRecord = {
      ...report,
      text: withPlainEnds(report.text),
      id: sources.newId(),
      ...this.#arrive(report),
      replies: [],
      createdAt: now,
      updatedAt: now,
    }

    allowance.text(added.ownerId, reportTextBytes(added))
    tx.put(this.#reports, added.id, added)
    return added
  }

  /**
   * Corrects a report that its reporter sends again. Throws `invalid_input` if the team has reacted
   * to the first text, and `quota_exceeded`.
   */
  correct(tx: Transaction, report: ReportRecord, sent: Correction): ReportRecord {
    const { kind, version, from } = sent
    const text = withPlainEnds(sent.text)
    const isSame =
      text === report.text &&
      kind === report.kind &&
      version === report.version &&
      from === report.from
    if (isSame) return report
    if (report.state !== 'new' || report.replies.length > 0) throw answeredAlready()

    const more = Buffer.byteLength(text) - Buffer.byteLength(report.text)
    this.deps.allowance.text(report.ownerId, more)
    return this.#put(tx, report, { text, kind, version, from })
  }

  /** Adds a file. Throws `not_found` if the report has gone, and `too_many_records`. */
  attach(tx: Transaction, id: string, attachment: AttachmentRecord): ReportRecord {
    const report = this.#reports.get(id)
    if (!report) throw linkEnded()
    if (report.attachments.length >= REPORT_FILES_MAX) throw tooManyFiles()
    return this.#put(tx, report, { attachments: [...report.attachments, attachment] })
  }

  /**
   * Adds an answer of the team (`userId`) or the reporter. Throws `not_found`, `too_many_records`
   * and `quota_exceeded`.
   */
  reply(id: string, said: string, userId: string | undefined): Promise<ReportRecord> {
    const text = withPlainEnds(said)
    return this.deps.library.transact((tx) => {
      const report = this.#reports.get(id)
      if (!report) throw linkEnded()
      if (report.replies.length >= REPORT_REPLIES_MAX) throw tooManyReplies()

      const { sources, allowance } = this.deps
      const reply = { id: sources.newId(), userId, text, createdAt: sources.now().toISOString() }
      allowance.text(report.ownerId, Buffer.byteLength(text))

      const isSeen = userId !== undefined && report.state === 'new'
      return this.#put(tx, report, {
        replies: [...report.replies, reply],
        ...(isSeen && { state: 'open' }),
      })
    })
  }

  /** Changes a report, and all others of its group. Throws `not_found`. */
  setState(
    projectId: string,
    id: string,
    state: ReportState,
    fixedIn: string | undefined,
  ): Promise<ReportRecord> {
    return this.deps.library.transact((tx) => {
      const report = this.require(projectId, id)
      const { signature } = report
      const group = signature === undefined ? [] : [...this.ofGroup(projectId, signature)]

      const change = { state, fixedIn, closedAt: isOpen(state) ? undefined : this.#stamp() }
      for (const other of group)
        if (other.id !== id && (other.state !== state || other.fixedIn !== fixedIn))
          this.#put(tx, other, change)
      return this.#put(tx, report, change)
    })
  }

  /** Deletes the files of a report, unless it has changed meanwhile. Its text stays. */
  dropFiles(report: ReportRecord): Promise<void> {
    return this.deps.library.transact((tx) => {
      if (this.#reports.get(report.id) !== report) return
      const filesDeleted = (report.filesDeleted ?? 0) + report.attachments.length
      tx.put(this.#reports, report.id, { ...report, attachments: [], filesDeleted })
      this.#removeBlobs(tx, report)
    })
  }

  /** Removes a report with its files. Throws `not_found`. */
  async remove(projectId: string, id: string): Promise<ReportRecord> {
    return this.deps.library.transact((tx) => {
      const report = this.require(projectId, id)
      this.#remove(tx, report)
      return report
    })
  }

  /** Adds reports of an import. */
  putBack(tx: Transaction, reports: readonly ReportRecord[]): void {
    for (const report of reports) tx.put(this.#reports, report.id, report)
  }

  /** Removes the reports of a project that is deleted permanently. */
  forgetProject(tx: Transaction, projectId: string): void {
    for (const report of [...this.ofProject(projectId)]) this.#remove(tx, report)
  }

  /** The state in which a report arrives: its group may be closed, or fixed in a later version. */
  #arrive({ projectId, signature, version }: NewReport) {
    const newest = signature === undefined ? undefined : this.ofGroup(projectId, signature)[0]
    const closedAt = this.#stamp()
    if (newest?.state === 'closed') return { state: 'closed', closedAt } as const

    const { fixedIn } = newest ?? {}
    if (fixedIn !== undefined && version !== undefined && compareVersions(version, fixedIn) < 0)
      return { state: 'fixed', fixedIn, closedAt } as const

    const isRepeat = newest !== undefined && isOpen(newest.state)
    return { state: 'new', ...(isRepeat && { isRepeat }) } as const
  }

  #stamp = (): string => this.deps.clock.stamp().toISOString()

  #remove(tx: Transaction, report: ReportRecord): void {
    tx.delete(this.#reports, report.id)
    this.#removeBlobs(tx, report)
  }

  #removeBlobs(tx: Transaction, { attachments }: ReportRecord): void {
    tx.after(() => {
      // The next sweep removes what stays.
      for (const { blobId } of attachments)
        void this.deps.blobs.remove(blobId).catch(() => undefined)
    })
  }

  #put(tx: Transaction, report: ReportRecord, change: Partial<ReportRecord>): ReportRecord {
    const changed = { ...report, ...change, updatedAt: this.deps.sources.now().toISOString() }
    tx.put(this.#reports, report.id, changed)
    return changed
  }
}

const isOpen = (state: ReportState): boolean => state === 'new' || state === 'open'

const versionKey = (projectId: string, version = '') => `${projectId} ${version}`

const answeredAlready = () =>
  new AppError('invalid_input', 'This report is being looked at. Add to it on its page', 'text')

/** Forms send the line ends of Windows. */
const withPlainEnds = (text: string): string => text.replaceAll('\r\n', '\n')

export const tooManyFiles = (): AppError =>
  new AppError('too_many_records', `A report has at most ${REPORT_FILES_MAX} files`, 'file')

const tooManyReplies = () =>
  new AppError('too_many_records', `A report has at most ${REPORT_REPLIES_MAX} answers`)
