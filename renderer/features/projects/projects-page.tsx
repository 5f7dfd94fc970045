import { Group } from '@mantine/core'
import { IconStack2 } from '@tabler/icons-react'
import { ToTrash } from '../../lib/links/to-trash'
import { CardGrid, CardGridSkeleton } from '../../ui/table/card-grid'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { MoreCards } from '../../ui/table/more-cards'
import { Page } from '../../ui/layout/page'
import { CreateProject } from './create-project'
import { OwnProjectCard } from './own-project-card'
import { useProjectPages } from './use-projects'

export function ProjectsPage() {
  const projects = useProjectPages()
  const isEmpty = projects.data?.length === 0
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
      <Loaded query={projects} title="Your projects could not be loaded" skeleton={<CardGridSkeleton cards={6} />}>
        {(data) =>
          data.length === 0 ? (
            <EmptyState
              icon={IconStack2}
              title="No projects yet"
              text="A project is a page for your visitors, with files, downloads and updates."
              action={<CreateProject />}
            />
          ) : (
            <>
              <CardGrid>
                {data.map((project) => (
                  <OwnProjectCard key={project.project_id} project={project} />
                ))}
              </CardGrid>
              <MoreCards
                {...projects}
                things="projects"
                visibleCount={data.length}
                total={projects.total ?? data.length}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}
