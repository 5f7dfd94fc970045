import { VisuallyHidden } from '@mantine/core'
import { useOpenProject } from '../../lib/host/open-project'
import { lazyPage } from '../../lib/browser/lazy-page'

// The public page loads it alone.
const ProjectFeed = lazyPage(() => import('./project-posts'), 'ProjectFeed')

export function ProjectUpdatesPage() {
  const { project_id, can } = useOpenProject()
  return (
    <>
      {/* Headings within posts begin one level below. */}
      <VisuallyHidden component="h2">News</VisuallyHidden>
      <ProjectFeed projectId={project_id} canPost={can.includes('post')} />
    </>
  )
}
