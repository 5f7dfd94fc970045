import { reportChoicesOf } from '../projects/policy'
import type { Rooms } from '../../compose/context'
import type { ListedReport, Report, ReportSettings } from '../../contract'
import type { ProjectRecord } from '../../data/records/project-records'
import type { ReportRecord } from '../../data/records/report-records'
import { cutText } from '../../texts/format'

type Deps = Rooms<'accounts' | 'projects'>

/** Characters of a text in a list. */
const BEGINNING = 160

/** What a report is in lists and alone. */
function presentCommon(
  { accounts: { users }, projects: { testers } }: Deps,
  report: ReportRecord,
): Omit<ListedReport, 'attachments' | 'replies'> {
  const { testerId, userId, device, replies } = report
  const last = replies.at(-1)

  return {
    report_id: report.id,
    kind: report.kind,
    beginning: cutText(report.text.replace(/\s+/g, ' '), BEGINNING),
    state: report.state,
    fixed_in: report.fixedIn ?? null,
    version: report.version ?? null,
    from: report.from ?? null,
    username: userId === undefined ? null : users.nameOf(userId),
    tester:
      testerId === undefined ? null : (testers.find(report.projectId, testerId)?.name ?? null),
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

export const presentListedReport = (deps: Deps, report: ReportRecord): ListedReport => ({
  ...presentCommon(deps, report),
  attachments: report.attachments.length,
  replies: report.replies.length,
})

export const presentReport = (deps: Deps, report: ReportRecord): Report => ({
  ...presentCommon(deps, report),
  text: report.text,
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
): ReportSettings => ({ ...reportChoicesOf(project), used: reports.bytesOfProject(project.id) })
