import type { Rooms } from '../../compose/context'
import { findFilesEnd } from './presenter'

/**
 * Deletes the files of reports that were fixed or closed long ago. Each goes in its own
 * transaction, its record first, so a crash leaves bytes at most, which the next sweep removes.
 */
export async function deleteOldFiles({ projects }: Rooms<'projects'>, now: Date): Promise<void> {
  const at = now.toISOString()
  const old = [...projects.reports.all()].filter((report) => {
    const project = projects.store.find(report.projectId)
    const end = project && findFilesEnd(project, report)
    return end != null && end <= at
  })

  for (const report of old) await projects.reports.dropFiles(report)
}
