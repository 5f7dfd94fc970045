import { Group } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { ToTrash } from '../../lib/links/to-trash'
import { CardGrid, CardGridSkeleton } from '../../ui/table/card-grid'
import { EmptyState } from '../../ui/feedback/empty-state'
import { LoadError } from '../../ui/feedback/load-error'
import { MoreCards } from '../../ui/table/more-cards'
import { Page } from '../../ui/layout/page'
import { CreateProject } from './create-project'
import { OwnProjectCard } from './own-project-card'
import { useProjectPages } from './use-projects'

export function ProjectsPage() {
  const { items, total, refetch, ...list } = useProjectPages()
  const isEmpty = items?.length === 0
  return (
    <Page
      title="Projects"
      actions={
        // Keeps the primary button last in a row, and first when the row wraps.
        <Group gap="xs" wrap="wrap-reverse">
          <ToTrash />
          {!isEmpty && <CreateProject />}
        </Group>
      }
    >
      {!items && !list.error && <CardGridSkeleton cards={6} />}
      {!items && list.error && (
        <LoadError title="Your projects could not be loaded" error={list.error} onRetry={() => void refetch()} />
      )}
      {isEmpty && (
        <EmptyState
          icon={IconStack2}
          title="No projects yet"
          text="A project is a page for your visitors, with files, downloads and updates."
          action={<CreateProject />}
        />
      )}
      {items && !isEmpty && (
        <>
          <CardGrid>
            {items.map((project) => (
              <OwnProjectCard key={project.project_id} project={project} />
            ))}
          </CardGrid>
          <MoreCards {...list} things="projects" shown={items.length} total={total ?? items.length} />
        </>
      )}
    </Page>
  )
}
