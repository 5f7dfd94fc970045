import { cutText } from '../../texts/format'
import type { Library } from '../../data/library/library'
import type { Op } from '../../data/library/library-data'
import { RecordChange } from '../../data/library/record-change'
import type { FileRecord } from '../../data/records/file-records'
import type { ProjectRecord, ReleaseRecord } from '../../data/records/project-records'
import type { ReportRecord } from '../../data/records/report-records'
import type { Happening } from '../../data/records/webhook-records'

/** The most characters of notes and posts in a message. */
const MOST_TEXT = 1500

/**
 * Finds the events in the steps of a change, before they apply. A restore from the trash is not an
 * event.
 */
export function findHappenings(ops: readonly Op[], library: Library): Happening[] {
  const change = new Change(ops, library)
  if (change.isRestore) return []

  return [
    ...change.puts('releases').flatMap(([release, before]) => change.ofRelease(release, before)),
    ...change.puts('links').flatMap(([link, before]) => {
      const file = change.find('files', link.fileId)
      if (before || !file) return []

      const release = link.releaseId === null ? undefined : change.find('releases', link.releaseId)
      const parts = { ...(release && { release: partOf(release) }), file: fileOf(file) }
      return change.tell('build.arrived', link.projectId, parts)
    }),
    ...change.puts('files').flatMap(([file, before]) => {
      if (before || !file.received) return []
      const { requestId, ...received } = file.received
      const projectId = change.find('fileRequests', requestId)?.projectId
      const parts = { file: fileOf(file), received }
      return projectId ? change.tell('file.received', projectId, parts) : []
    }),
    ...change.puts('reports').flatMap(([report, before]) => change.ofReport(report, before)),
    ...change.puts('accessRequests').flatMap(([{ id, projectId, name, asked }, before]) => {
      if (before) return []
      const { email, note } = asked
      return change.tell('access.requested', projectId, { access: { id, name, email, note } })
    }),
    ...change.puts('posts').flatMap(([{ id, projectId, content }, before]) => {
      if (before) return []
      const post = { id, content: cutText(content, MOST_TEXT) }
      return change.tell('post.created', projectId, { post })
    }),
  ]
}

/** Builds the event of a project, with its names now. */
export function makeHappening(
  kind: Happening['kind'],
  { id, slug, title }: Pick<ProjectRecord, 'id' | 'slug' | 'title'>,
  parts: Partial<Happening> = {},
): Happening {
  return { kind, projectId: id, slug, title, ...parts }
}

/** A change as the events that it causes. */
class Change extends RecordChange {
  ofRelease(release: ReleaseRecord, before: ReleaseRecord | undefined): Happening[] {
    const was = before?.state
    const { state, channel, projectId } = release

    if (state === 'published' && was !== 'published') {
      return this.tell('release.published', projectId, { release: partOf(release) })
    }

    if (state === 'withdrawn' && was === 'published') {
      return this.tell('release.withdrawn', projectId, { release: partOf(release) })
    }

    if (state !== 'published' || !before || before.channel === channel) return []

    return this.tell('release.promoted', projectId, {
      release: { ...partOf(release), from: before.channel },
    })
  }

  ofReport(report: ReportRecord, before: ReportRecord | undefined): Happening[] {
    const { id, projectId, kind, version, from, signature, attachments } = report
    const about = { id, kind, version, from, signature, files: attachments.length }
    const tell = (event: Happening['kind'], said: string) =>
      this.tell(event, projectId, { report: { ...about, text: cutText(said, MOST_TEXT) } })

    // Of a group only the first report is news, and the first after it was fixed.
    if (!before)
      return report.state === 'new' && !report.isRepeat ? tell('report.created', report.text) : []
    const reply = report.replies.at(before.replies.length)
    return reply && reply.userId === undefined ? tell('report.replied', reply.text) : []
  }

  tell(kind: Happening['kind'], projectId: string, parts: Partial<Happening>): Happening[] {
    const project = this.library.collection('projects').get(projectId)
    return project ? [makeHappening(kind, project, parts)] : []
  }
}

const partOf = ({ version, channel, state, notes }: ReleaseRecord) => ({
  version,
  channel,
  state,
  notes: cutText(notes, MOST_TEXT),
})

const fileOf = ({ id, filename, size, sha256 }: FileRecord) => ({ id, filename, size, sha256 })
