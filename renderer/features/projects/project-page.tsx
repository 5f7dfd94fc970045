import { Button, Stack } from '@mantine/core'
import { IconFolderQuestion } from '@tabler/icons-react'
import { Suspense } from 'react'
import { Link, Navigate, Outlet, useParams } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { ApiError } from '../../lib/api-client'
import { useHead } from '../../lib/head'
import { messages } from '../../lib/messages'
import { paths } from '../../paths'
import { LoadError } from '../../ui/load-error'
import { NothingHere } from '../../ui/nothing-here'
import { TableSkeleton } from '../../ui/skeletons'
import classes from './project-page.module.css'
import { ProjectHeader } from './project-header'
import { ProjectSkeleton } from './project-skeleton'
import { ProjectStats } from './project-stats'
import { ProjectTabs } from './project-tabs'
import { useProject } from './use-projects'

/** /projects/:id: what a project's owner and the people on it work with. The tabs render inside. */
export function ProjectPage() {
  const { id = '' } = useParams()
  const { data: project, error, refetch } = useProject(id)
  return (
    <div className={classes.page}>
      {project && <OpenProject project={project} />}
      {!project && !error && <ProjectSkeleton />}
      {!project && error && <NotLoaded error={error} onRetry={() => void refetch()} />}
    </div>
  )
}

function OpenProject({ project }: { project: Project }) {
  useHead({ title: project.title, description: project.short_description })
  if (project.role === null) return <Navigate to={paths.publicProject(project.slug)} replace />
  return (
    <Stack gap="lg">
      <ProjectHeader project={project} />
      <ProjectStats project={project} />
      <ProjectTabs project={project} />
      <Suspense fallback={<TableSkeleton rows={4} />}>
        <Outlet context={project} />
      </Suspense>
    </Stack>
  )
}

function NotLoaded({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!(error instanceof ApiError) || error.status !== 404) {
    return <LoadError title="This project could not be loaded" error={error} onRetry={onRetry} />
  }
  return (
    <NothingHere
      icon={IconFolderQuestion}
      title={messages.project.loadFailed}
      text={messages.project.notFound}
      actions={
        <Button component={Link} to={paths.projects}>
          Your projects
        </Button>
      }
    />
  )
}
