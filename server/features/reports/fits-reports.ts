import type { Files } from '../../compose/files'
import type { Projects } from '../../compose/projects'
import type { ProjectRecord } from '../../data/records/project-records'
import { reportChoicesOf } from '../projects/policy'
import type { Arriving } from '../quota/strangers-room'

/** What counts the reports of a project, and what people without an account send. */
export interface ReportCounts {
  files: Pick<Files, 'strangersRoom' | 'uploads'>
  projects: Pick<Projects, 'reports'>
}

/**
 * Whether `bytes` more fit into the room that the owner gives to reports, and into the part of
 * their storage that people without an account may use. Unfinished uploads count. `own`: the
 * request that asks.
 */
export function fitsReports(
  { files: { strangersRoom, uploads }, projects: { reports } }: ReportCounts,
  project: ProjectRecord,
  bytes: number,
  own?: Arriving,
): boolean {
  const { id, ownerId } = project
  const used =
    reports.bytesOfProject(id) +
    uploads.unfinishedReportBytes(id) +
    strangersRoom.countArriving(id, own).bytes

  const fitsProject = used + bytes <= reportChoicesOf(project).room
  return fitsProject && strangersRoom.fits(ownerId, bytes, own)
}

/** Whether a text of `bytes` fits there, beside what has arrived. */
export function fitsReportText(
  { files: { strangersRoom }, projects: { reports } }: ReportCounts,
  project: ProjectRecord,
  bytes: number,
): boolean {
  const { id, ownerId } = project
  const fitsProject = reports.bytesOfProject(id) + bytes <= reportChoicesOf(project).room
  return fitsProject && strangersRoom.fitsText(ownerId, bytes)
}
