import type { Library } from '../../storage/library'
import type { Visits } from './visits'

/** Download and view counts. They are hot: on disk within a second, not with each reply. */
export class Counts {
  constructor(
    private readonly library: Library,
    private readonly visits: Visits,
  ) {}

  downloadsOfFile = (fileId: string): number => this.library.counter(`file:${fileId}:downloads`)
  downloadsOfLink = (projectId: string, fileId: string): number =>
    this.library.counter(`project:${projectId}:file:${fileId}:downloads`)
  downloadsOfProject = (projectId: string): number => this.library.counter(`project:${projectId}:downloads`)
  viewsOfProject = (projectId: string): number => this.library.counter(`project:${projectId}:views`)

  /** A whole file has reached this visitor; through a project, where `projectId` is given. */
  downloaded(visitor: string, fileId: string, projectId?: string): void {
    if (this.visits.isFirst(visitor, `file:${fileId}`)) this.library.count(`file:${fileId}:downloads`)
    if (projectId === undefined || !this.visits.isFirst(visitor, `project:${projectId}:file:${fileId}`)) return
    this.library.count(`project:${projectId}:file:${fileId}:downloads`)
    this.library.count(`project:${projectId}:downloads`)
  }

  /** A visitor has opened the public page of a project. */
  viewed(visitor: string, projectId: string): void {
    if (this.visits.isFirst(visitor, `project:${projectId}`)) this.library.count(`project:${projectId}:views`)
  }
}
