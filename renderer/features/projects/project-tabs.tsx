import type { Project } from '../../../server/contract'
import { paths } from '../../paths'
import { LinkTabs } from '../../ui/link-tabs'

/** The parts of a project. */
export function ProjectTabs({ project: { project_id, downloads } }: { project: Project }) {
  return (
    <LinkTabs
      label="Project"
      tabs={[
        { to: paths.project(project_id), text: 'Files', count: downloads.length },
        { to: paths.projectUpdates(project_id), text: 'Updates' },
        { to: paths.projectPeople(project_id), text: 'People' },
        { to: paths.projectSettings(project_id), text: 'Settings' },
      ]}
    />
  )
}
