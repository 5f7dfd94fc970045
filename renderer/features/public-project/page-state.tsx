import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { IconPackageOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router-dom'
import { ApiError } from '../../lib/client/api-client'
import { messages } from '../../lib/texts/messages'
import { paths } from '../../paths'
import { LoadError } from '../../ui/feedback/load-error'
import { NothingHere } from '../../ui/feedback/nothing-here'

interface PageStateProps {
  error: Error | null
  isRelease: boolean
  onRetry: () => void
  /** The page; undefined while it loads. */
  children: ReactNode
}

/** A public page as it loads, is missing, has failed or is there. */
export function PageState({ error, isRelease, onRetry, children }: PageStateProps) {
  if (error && isMissing(error)) return <Missing isRelease={isRelease && /release/i.test(error.message)} />
  const content = error ? (
    <div className="project-page">
      <LoadError error={error} title="This project could not be loaded" onRetry={onRetry} />
    </div>
  ) : (
    (children ?? <ProjectSkeleton />)
  )
  return <div className="visitor">{content}</div>
}

/** An address that is no valid slug or version is reported as missing, too. */
const isMissing = (error: Error) => error instanceof ApiError && [400, 404].includes(error.status)

function Missing({ isRelease }: { isRelease: boolean }) {
  const { slug = '' } = useParams()
  return (
    <NothingHere
      icon={IconPackageOff}
      title={isRelease ? messages.project.releaseNotFoundTitle : messages.project.notFoundTitle}
      text={isRelease ? messages.project.releaseNotFound : messages.project.notFound}
      actions={
        <Button component={Link} to={isRelease ? paths.publicProject(slug) : paths.browse}>
          {isRelease ? 'Show the Project' : 'Browse Projects'}
        </Button>
      }
    />
  )
}

function ProjectSkeleton() {
  return (
    <div className="project-page" role="status" aria-label="Loading">
      <Group gap="md" mb="lg" wrap="nowrap">
        <Skeleton h={56} w={56} style={{ flexShrink: 0 }} />
        <Stack gap={8} flex={1}>
          <Skeleton h={28} w="min(20rem, 70%)" />
          <Skeleton h={16} w="min(30rem, 90%)" />
        </Stack>
      </Group>
      <div className="columns">
        <Skeleton className="main" h={216} />
        <Skeleton className="side" h={216} />
      </div>
    </div>
  )
}
