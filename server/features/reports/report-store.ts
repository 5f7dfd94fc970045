import { hashOfToken } from '../../access/link-token'
import { linkEnded } from '../../access/link-ended'
import type { Allowance } from '../../access/allowance'
import { REPORT_FILES_MAX, REPORT_REPLIES_MAX } from '../../contract'
import type { ReportState } from '../../contract/projects/reports'
import type { Sources } from '../../core/clock'
import { AppError, notFound } from '../../core/errors'
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
  'id' | 'state' | 'fixedIn' | 'replies' | 'createdAt' | 'updatedAt'
>

interface Deps {
  library: Library
  blobs: Pick<BlobStore, 'remove'>
  sources: Sources
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
  readonly #byBlob: Index<ReportRecord>
  readonly #projectBytes: { get(projectId: string): number }

  constructor(private readonly deps: Deps) {
    this.#reports = deps.library.collection('reports')
    this.#byHash = this.#reports.uniqueIndex((report) => report.tokenHash)
    this.#byProject = this.#reports.sorted(
      (report) => [report.projectId],
      newestBy<ReportRecord>((report) => report.createdAt),
    )
    this.#byBlob = this.#reports.indexMany(({ attachments }) =>
      attachments.map(({ blobId }) => blobId),
    )

    this.#projectBytes = this.#reports.sum(
      (report) => report.projectId,
      (report) => attachmentBytes(report) + reportTextBytes(report),
    )
  }

  /** Lists the reports of a project, newest first. */
  ofProject(projectId: string): readonly ReportRecord[] {
    return this.#byProject.get(projectId)
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
      state: 'new',
      replies: [],
      createdAt: now,
      updatedAt: now,
    }

    allowance.text(added.ownerId, reportTextBytes(added))
    tx.put(this.#reports, added.id, added)
    return added
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

  /** Throws `not_found`. */
  setState(
    projectId: string,
    id: string,
    state: ReportState,
    fixedIn: string | undefined,
  ): Promise<ReportRecord> {
    return this.deps.library.transact((tx) =>
      this.#put(tx, this.require(projectId, id), { state, fixedIn }),
    )
  }

  /** Removes a report with its files. Throws `not_found`. */
  async remove(projectId: string, id: string): Promise<ReportRecord> {
    return this.deps.library.transact((tx) => {
      const report = this.require(projectId, id)
      this.#remove(tx, report)
      return report
    })
  }

  /** Removes the reports of a project that is deleted permanently. */
  forgetProject(tx: Transaction, projectId: string): void {
    for (const report of [...this.ofProject(projectId)]) this.#remove(tx, report)
  }

  #remove(tx: Transaction, { id, attachments }: ReportRecord): void {
    tx.delete(this.#reports, id)
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

/** Forms send the line ends of Windows. */
const withPlainEnds = (text: string): string => text.replaceAll('\r\n', '\n')

export const tooManyFiles = (): AppError =>
  new AppError('too_many_records', `A report has at most ${REPORT_FILES_MAX} files`, 'file')

const tooManyReplies = () =>
  new AppError('too_many_records', `A report has at most ${REPORT_REPLIES_MAX} answers`)
