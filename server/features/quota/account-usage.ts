import type { Library, Sum } from '../../data/library/library'
import { requestTextBytes } from '../../data/records/access-records'
import {
  contentBytes,
  notesBytes,
  pictureBytes,
  textBytes,
} from '../../data/records/project-records'
import { attachmentBytes, reportTextBytes } from '../../data/records/report-records'
import { metadataBytes } from '../../data/records/upload-records'

/** What the records of an account take of its storage beside its files, in bytes. */
export class AccountUsage {
  readonly pictures: Sum
  /** The files of reports. */
  readonly reports: Sum
  /** What people without an account wrote: reports with their answers, and requests for access. */
  readonly #received: readonly Sum[]
  readonly #texts: readonly Sum[]

  constructor(library: Library) {
    const projects = library.collection('projects')
    const reports = library.collection('reports')

    this.pictures = projects.sum((project) => project.ownerId, pictureBytes)
    this.reports = reports.sum((report) => report.ownerId, attachmentBytes)
    this.#received = [
      reports.sum((report) => report.ownerId, reportTextBytes),
      library.collection('accessRequests').sum((request) => request.ownerId, requestTextBytes),
    ]
    this.#texts = [
      projects.sum((project) => project.ownerId, textBytes),
      library.collection('releases').sum((release) => release.ownerId, notesBytes),
      library.collection('posts').sum((post) => post.authorId, contentBytes),
      library.collection('uploads').sum((upload) => upload.ownerId, metadataBytes),
      ...this.#received,
    ]
  }

  /** Returns the bytes that people without an account have sent to an account for its projects. */
  receivedBy(userId: string): number {
    return this.#received.reduce(
      (bytes, text) => bytes + text.get(userId),
      this.reports.get(userId),
    )
  }

  /** Returns the bytes of everything that an account has written. */
  textOf(userId: string): number {
    return this.#texts.reduce((bytes, text) => bytes + text.get(userId), 0)
  }
}
