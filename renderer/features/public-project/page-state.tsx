import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { IconPackageOff } from '@tabler/icons-react'
import type { ComponentProps, ReactNode } from 'react'
import { Link, useParams } from 'react-router-dom'
import { ApiError } from '../../lib/client/api-client'
import { messages } from '../../lib/texts/messages'
import { paths } from '../../paths'
import { Loaded } from '../../ui/feedback/loaded'
import { NothingHere } from '../../ui/feedback/nothing-here'

interface PageStateProps<Data> extends Pick<ComponentProps<typeof Loaded<Data>>, 'query'> {
  isRelease: boolean
  children: (data: Data) => ReactNode
}

/** A public page as it loads, is missing, has failed or is there. */
export function PageState<Data>({ query, isRelease, children }: PageStateProps<Data>) {
  const { data, error } = query
  if (error && isMissing(error))
    return <Missing isRelease={isRelease && /release/i.test(error.message)} />

  const content = (
    <Loaded query={query} title="This project could not be loaded" skeleton={<ProjectSkeleton />}>
      {children}
    </Loaded>
  )

  return (
    <div className="visitor">
      {error && !data ? <div className="project-page">{content}</div> : content}
    </div>
  )
}

/** An address that is no valid slug or version is reported as missing, too. */
const isMissing = (error: Error) => error instanceof ApiError && [400, 404].includes(error.status)

function Missing({ isRelease }: { isRelease: boolean }) {
  const { slug = '' } = useParams()

  return (
    <NothingHere
      icon={IconPackageOff}
      title={isRelease ? 'Release Not Found' : 'Project Not Found'}
      text={
        isRelease
          ? "The release you're looking for doesn't exist or is no longer available."
          : messages.project.notFound
      }
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
