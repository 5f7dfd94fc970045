import { useParams } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { paths } from '../../paths'
import { LinkTabs } from '../../ui/link-tabs'

/** The parts of a project. */
export function ProjectTabs({ project: { downloads, can } }: { project: Project }) {
  // The address names the project by its id or by its slug; the tabs keep to that.
  const { id = '' } = useParams()
  return (
    <LinkTabs
      label="Project"
      tabs={[
        { to: paths.project(id), text: 'Files', count: downloads.length },
        { to: paths.projectUpdates(id), text: 'Updates' },
        { to: paths.projectStatistics(id), text: 'Statistics' },
        { to: paths.projectPeople(id), text: 'People' },
        { to: paths.projectSettings(id), text: can.includes('update') ? 'Settings' : 'Details' },
      ]}
    />
  )
}
