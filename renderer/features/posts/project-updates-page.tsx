import { VisuallyHidden } from '@mantine/core'
import { useOpenProject } from '../../lib/host/open-project'
import { lazyPage } from '../../lib/browser/lazy-page'

// The public page loads it alone.
const ProjectPosts = lazyPage(() => import('./project-posts'), 'ProjectPosts')

export function ProjectUpdatesPage() {
  const { project_id, can } = useOpenProject()
  return (
    <>
      {/* Headings within posts begin one level below. */}
      <VisuallyHidden component="h2">News</VisuallyHidden>
      <ProjectPosts projectId={project_id} canPost={can.includes('post')} />
    </>
  )
}
