import type { Rooms } from '../../compose/context'
import { REPORT_FILES_MAX } from '../../contract'
import { AppError } from '../../core/errors'
import type { ProjectRecord } from '../../data/records/project-records'
import type { ReportRecord } from '../../data/records/report-records'
import type { Arriving, HeldRoom } from '../quota/strangers-room'
import { fitsReports, fitsReportText } from './fits-reports'
import { noRoomForReport } from './reporter'
import { tooManyFiles } from './report-store'
import { limitWords } from '../../texts/format'

type Deps = Rooms<'data' | 'files' | 'projects'>

/** Throws `quota_exceeded` unless `fitsReports`. */
function requireReportRoom(...asked: Parameters<typeof fitsReports>): void {
  if (!fitsReports(...asked)) throw noRoomForReport()
}

/** Throws `quota_exceeded` unless `fitsReportText`. */
export function requireTextRoom(...asked: Parameters<typeof fitsReportText>): void {
  if (!fitsReportText(...asked)) throw noRoomForReport()
}

/**
 * Throws `too_many_records` unless a report takes another file, and what `requireReportRoom` does.
 */
export function requireFileRoom(
  context: Deps,
  project: ProjectRecord,
  { id, attachments }: ReportRecord,
  bytes: number,
  own?: Arriving,
): void {
  const { strangersRoom, uploads } = context.files
  const arriving =
    uploads.unfinishedOfReport(id).length + strangersRoom.countArriving(id, own).requests
  if (attachments.length + arriving >= REPORT_FILES_MAX) throw tooManyFiles()
  requireReportRoom(context, project, bytes, own)
}

/** Holds room for a form with files. `report`: one that exists already. */
export function holdReportRoom(
  context: Deps,
  project: ProjectRecord,
  bytes: number,
  report?: ReportRecord,
): HeldRoom {
  const { id, ownerId } = project
  const at = report ? [id, report.id] : [id]
  return context.files.strangersRoom.hold({ ownerId, at }, bytes, (total, own) => {
    if (report) requireFileRoom(context, project, report, total, own)
    // It may have no files.
    else if (total > 0) requireReportRoom(context, project, total, own)
  })
}

/** Throws `too_large` above the size that the host allows for a file of a report. */
export function requireAttachmentSize({ data }: Rooms<'data'>, bytes: number): void {
  if (bytes > largestAttachment({ data })) throw tooLarge({ data })
}

export const tooLarge = (context: Rooms<'data'>): AppError => {
  const largest = limitWords(largestAttachment(context))
  return new AppError('too_large', `A file is larger than ${largest}`, 'file')
}

/** Returns the most bytes of a file of a report. */
export function largestAttachment({ data }: Rooms<'data'>): number {
  const { largest_attachment, largest_file } = data.settings.get()
  return Math.min(largest_attachment, largest_file)
}
