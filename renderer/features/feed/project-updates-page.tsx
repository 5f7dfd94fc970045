import { Box } from '@mantine/core'
import { useOpenProject } from '../../lib/host/open-project'
import { ProjectFeed } from './project-feed'

export function ProjectUpdatesPage() {
  const { project_id, can } = useOpenProject()
  return (
    <Box maw={760}>
      <ProjectFeed projectId={project_id} canPost={can.includes('post')} />
    </Box>
  )
}
