import { Group } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { ToTrash } from '../../lib/to-trash'
import { useMyProjects } from '../../lib/use-my-projects'
import { CardGridSkeleton, LongCardGrid } from '../../ui/card-grid'
import { EmptyState } from '../../ui/empty-state'
import { LoadError } from '../../ui/load-error'
import { Page } from '../../ui/page'
import { CreateProject } from './create-project'
import { OwnProjectCard } from './own-project-card'

/** /projects: own projects and those that others share. */
export function ProjectsPage() {
  const { data, error, refetch } = useMyProjects()
  const isEmpty = data?.length === 0
  return (
    <Page
      title="Projects"
      actions={
        // The button that matters stays last in a row, and first where there is no room for a row.
        <Group gap="xs" wrap="wrap-reverse">
          <ToTrash />
          {!isEmpty && <CreateProject />}
        </Group>
      }
    >
      {!data && !error && <CardGridSkeleton cards={6} />}
      {!data && error && (
        <LoadError title="Your projects could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
      {isEmpty && (
        <EmptyState
          icon={IconStack2}
          title="No projects yet"
          text="A project is a page of its own for your visitors: its files, its downloads and its updates."
          action={<CreateProject />}
        />
      )}
      {data && !isEmpty && (
        <LongCardGrid
          items={data}
          card={(project) => <OwnProjectCard key={project.project_id} project={project} />}
          moreLabel="Show more projects"
        />
      )}
    </Page>
  )
}
