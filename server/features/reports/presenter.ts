import { reportChoicesOf } from '../projects/policy'
import type { Rooms } from '../../compose/context'
import type { ListedReport, Report, ReportSettings } from '../../contract'
import { DAY_MS } from '../../core/clock'
import { compareVersions } from '../../core/versions'
import type { ProjectRecord } from '../../data/records/project-records'
import type { ReportRecord } from '../../data/records/report-records'
import { cutText } from '../../texts/format'

type Deps = Rooms<'accounts' | 'projects'>

/** Characters of a text in a list. */
const BEGINNING = 160

/** A report without what its group is. */
export type LoneReport = Omit<ListedReport, 'group'>

/** What a report is in lists and alone, without its group. */
function presentCommon(
  { accounts: { users }, projects }: Deps,
  report: ReportRecord,
): Omit<LoneReport, 'attachments' | 'replies'> {
  const { projectId, testerId, userId, device, replies } = report
  const last = replies.at(-1)
  const findLink = (id: string) =>
    projects.testers.find(projectId, id) ?? projects.previews.find(projectId, id)

  return {
    report_id: report.id,
    kind: report.kind,
    beginning: cutText(report.text.replace(/\s+/g, ' '), BEGINNING),
    state: report.state,
    fixed_in: report.fixedIn ?? null,
    version: report.version ?? null,
    from: report.from ?? null,
    username: userId === undefined ? null : users.nameOf(userId),
    tester: testerId === undefined ? null : (findLink(testerId)?.name ?? null),
    is_from_app: report.isFromApp === true,
    signature: report.signature ?? null,
    device: {
      system: device.system ?? null,
      model: device.model ?? null,
      browser: device.browser ?? null,
      language: device.language ?? null,
    },
    is_waiting: last !== undefined && last.userId === undefined,
    created_at: report.createdAt,
    updated_at: report.updatedAt,
  }
}

function presentGroup(
  { reports }: Deps['projects'],
  { projectId, signature }: ReportRecord,
): ListedReport['group'] {
  if (signature === undefined) return null
  const group = reports.ofGroup(projectId, signature)
  let first: string | undefined
  let last: string | undefined

  // Comparing costs more than all else of a list, and sorting compares more often.
  for (const version of new Set(group.map((it) => it.version))) {
    if (version === undefined) continue
    if (first === undefined || compareVersions(version, first) < 0) first = version
    if (last === undefined || compareVersions(version, last) > 0) last = version
  }

  return {
    reports: group.length,
    first_version: first ?? null,
    last_version: last ?? null,
    since: group.at(-1)?.createdAt ?? '',
  }
}

/** Returns when the files of a report are deleted. Null: never, or it is not closed. */
export function findFilesEnd(project: ProjectRecord, report: ReportRecord): string | null {
  const { fileDays } = reportChoicesOf(project)
  const isClosed = report.state === 'fixed' || report.state === 'closed'
  if (!isClosed || fileDays === null || report.attachments.length === 0) return null
  return new Date(Date.parse(report.closedAt ?? report.updatedAt) + fileDays * DAY_MS).toISOString()
}

/** What a row of a table shows. A group costs as much as all its reports, so no row has one. */
export const presentLoneReport = (deps: Deps, report: ReportRecord): LoneReport => ({
  ...presentCommon(deps, report),
  attachments: report.attachments.length,
  replies: report.replies.length,
})

/** Presents reports of one project. The group of each signature is computed once. */
export function presentListedReports(deps: Deps, reports: readonly ReportRecord[]): ListedReport[] {
  const groups = new Map<string | undefined, ListedReport['group']>()
  return reports.map((report) => {
    const group = groups.get(report.signature) ?? presentGroup(deps.projects, report)
    groups.set(report.signature, group)
    return { ...presentLoneReport(deps, report), group }
  })
}

export const presentReport = (
  deps: Deps,
  project: ProjectRecord,
  report: ReportRecord,
): Report => ({
  ...presentCommon(deps, report),
  group: presentGroup(deps.projects, report),
  text: report.text,
  files_until: findFilesEnd(project, report),
  files_deleted: report.filesDeleted ?? 0,
  attachments: report.attachments.map(({ id, filename, size, isPicture }) => ({
    attachment_id: id,
    filename,
    size,
    is_picture: isPicture,
  })),
  replies: report.replies.map(({ id, userId, text, createdAt }) => ({
    reply_id: id,
    username: userId === undefined ? null : deps.accounts.users.nameOf(userId),
    text,
    created_at: createdAt,
  })),
})

export const presentReportSettings = (
  { reports }: Rooms<'projects'>['projects'],
  project: ProjectRecord,
): ReportSettings => {
  const { reporters, room, fileDays } = reportChoicesOf(project)
  return { reporters, room, used: reports.bytesOfProject(project.id), file_days: fileDays }
}
