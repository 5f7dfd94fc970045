import { fillRoute, routes } from '../../contract/routes'
import type { Happening } from '../../data/records/webhook-records'
import { formatSize } from '../../texts/format'
import { releaseAddress } from '../../texts/release-address'

/** A message for people: a sentence, more text if there is any, and a link. */
export interface Message {
  title: string
  text: string
  /** Null if others cannot reach this host. */
  url: string | null
}

/** What a person reports, by its kind. */
const REPORTED = { problem: 'a problem', idea: 'an idea', crash: 'a crash' } as const

/** Summarizes an event in one sentence: `Lantern 1.4.0 was released`. */
export function summaryOf(happening: Happening): string {
  const { kind, title, release, file, received, report, access, downloads = 0 } = happening
  const version = `${title} ${release?.version ?? ''}`.trim()
  const channel = release?.channel ?? 'stable'

  switch (kind) {
    case 'release.published':
      return `${version} was released${channel === 'stable' ? '' : ` on ${channel}`}`
    case 'release.promoted':
      return `${version} moved from ${release?.from ?? ''} to ${channel}`
    case 'release.withdrawn':
      return `${version} was withdrawn`
    case 'build.arrived':
      return `${file?.filename ?? 'A file'} was added to ${version}`
    case 'post.created':
      return `${title} has news`
    case 'downloads.reached':
      return `${title} has ${downloads.toLocaleString('en')} downloads`
    case 'file.received':
      return `${received?.from ?? 'A person'} sent ${file?.filename ?? 'a file'} for ${title}`
    case 'report.created': {
      const about = `${title} ${report?.version ?? ''}`.trim()
      const noun = REPORTED[report?.kind ?? 'problem']
      return `${report?.from ?? 'A person'} reported ${noun} of ${about}`
    }
    case 'report.replied':
      return `${report?.from ?? 'The reporter'} answered in a report of ${title}`
    case 'access.requested':
      return `${access?.name ?? 'A person'} asks for access to ${title}`
    case 'test':
      return `This is a test for ${title}`
  }
}

/** Writes the message of an event. `origin`: where others reach this host, or null. */
export function writeMessage(happening: Happening, origin: string | null): Message {
  const { kind, release, file, post } = happening
  const notes = kind === 'release.published' ? (release?.notes ?? '') : ''
  const size = file ? formatSize(file.size) : ''
  return {
    title: summaryOf(happening),
    text:
      kind === 'test' ? 'If you can read this, messages arrive.' : notes || post?.content || size,
    url: findAddress(happening, origin),
  }
}

/** Builds the body for the user's own server, in the format of Standard Webhooks. */
export function writeJson(happening: Happening, at: string, origin: string | null) {
  const { kind, projectId, slug, title, release, file, received, post } = happening
  const { report, access } = happening

  return {
    type: kind,
    timestamp: at,
    data: {
      summary: summaryOf(happening),
      url: findAddress(happening, origin),
      project: { project_id: projectId, slug, title },
      ...(release && {
        release: {
          version: release.version,
          channel: release.channel,
          state: release.state,
          notes: release.notes,
          ...(release.from !== undefined && { previous_channel: release.from }),
        },
      }),
      ...(file && {
        file: { file_id: file.id, filename: file.filename, size: file.size, sha256: file.sha256 },
      }),
      ...(received && { received }),
      ...(post && { post: { post_id: post.id, content: post.content } }),
      ...(report && {
        report: {
          report_id: report.id,
          kind: report.kind,
          version: report.version ?? null,
          from: report.from ?? null,
          signature: report.signature ?? null,
          text: report.text,
          files: report.files,
        },
      }),
      ...(access && {
        access_request: {
          request_id: access.id,
          name: access.name ?? null,
          email: access.email ?? null,
          note: access.note,
        },
      }),
      ...(happening.downloads !== undefined && { downloads: happening.downloads }),
    },
  }
}

function findAddress(
  { slug, projectId, release, report, access }: Happening,
  origin: string | null,
): string | null {
  if (origin === null) return null
  if (report)
    return origin + fillRoute(routes.projectReport, { id: projectId, reportId: report.id })
  if (access) return origin + fillRoute(routes.projectPeople, { id: projectId })
  const page = fillRoute(routes.publicProject, { slug })
  return origin + (release?.state === 'published' ? releaseAddress(page, release.version) : page)
}
