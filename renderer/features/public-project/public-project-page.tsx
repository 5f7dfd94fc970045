import { Button } from '@mantine/core'
import { IconPackageOff } from '@tabler/icons-react'
import { Link, useParams } from 'react-router-dom'
import { ApiError } from '../../lib/client/api-client'
import { messages } from '../../lib/words/messages'
import { paths } from '../../paths'
import { LoadError } from '../../ui/feedback/load-error'
import { NothingHere } from '../../ui/feedback/nothing-here'
import { Project } from './project'
import { ProjectSkeleton } from './project-skeleton'
import type { UpdatesFeed } from './updates-feed'
import { usePublicProject } from './use-public-project'
import '../../visitor/in-app.css'

/** The page that a creator sends to customers. */
export function PublicProjectPage({ Updates }: { Updates: UpdatesFeed }) {
  const { slug = '' } = useParams()
  const { data: project, error, refetch } = usePublicProject(slug)
  if (error && isMissing(error)) return <ProjectNotFound />
  return (
    <div className="visitor in-app">
      {project ? (
        <Project project={project} Updates={Updates} />
      ) : error ? (
        <div className="project-page">
          <LoadError error={error} title="This project could not be loaded" onRetry={() => void refetch()} />
        </div>
      ) : (
        <ProjectSkeleton />
      )}
    </div>
  )
}

/** An address that is no valid slug is reported as missing, too. */
const isMissing = (error: Error) => error instanceof ApiError && [400, 404].includes(error.status)

function ProjectNotFound() {
  return (
    <NothingHere
      icon={IconPackageOff}
      title={messages.project.notFoundTitle}
      text={messages.project.notFound}
      actions={
        <Button component={Link} to={paths.browse}>
          Browse Projects
        </Button>
      }
    />
  )
}
