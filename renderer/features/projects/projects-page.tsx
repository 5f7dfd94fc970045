import { Button, type ButtonProps, Group, Stack, Title } from '@mantine/core'
import { IconSearchOff, IconStack2, IconUpload } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { describePage } from '../../../server/contract/routes'
import { paths } from '../../paths'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { ToTrash } from '../../lib/links/to-trash'
import { CardGrid, CardGridSkeleton } from '../../ui/table/card-grid'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { Page } from '../../ui/layout/page'
import { useNeedsTools } from '../../ui/table/use-needs-tools'
import { Pager } from '../../ui/table/pager'
import { CreateProject } from './create-project'
import { chooseProjects, groupProjects } from './list/choose-projects'
import { ProjectsTable } from './list/projects-table'
import { ProjectsToolbar } from './list/projects-toolbar'
import { useProjectFilter } from './list/use-project-filter'
import { OwnProjectCard } from './own-project-card'

/** More projects are listed in a table. */
const MOST_CARDS = 24
const PER_PAGE = 50

export function ProjectsPage() {
  const projects = useMyProjects()

  const isEmpty = projects.data?.length === 0
  const isLoading = projects.data === undefined && !projects.error

  return (
    <Page
      {...describePage('projects')}
      actions={
        // Unseen while it is not known which buttons stay. Keeps the primary button last in a row,
        // and first when the row wraps.
        <Group
          gap="xs"
          wrap="wrap-reverse"
          style={isLoading ? { visibility: 'hidden' } : undefined}
        >
          <ToTrash />
          {!isEmpty && <ToImport visibleFrom="sm" />}
          {!isEmpty && <CreateProject />}
        </Group>
      }
    >
      <Loaded
        query={projects}
        title="Your projects could not be loaded"
        skeleton={<CardGridSkeleton cards={6} />}
      >
        {(data) =>
          data.length === 0 ? (
            <EmptyState
              icon={IconStack2}
              title="No projects yet"
              text="A project is a page for your visitors, with files, downloads and news."
              action={
                <Group justify="center" gap="xs">
                  <CreateProject />
                  <ToImport />
                </Group>
              }
            />
          ) : (
            <ProjectsList projects={data} />
          )
        }
      </Loaded>
    </Page>
  )
}

/** An export is imported on the page of the account. */
const ToImport = (button: ButtonProps) => (
  <Button
    component={Link}
    to={`${paths.account}#import`}
    variant="default"
    leftSection={<IconUpload size={16} />}
    {...button}
  >
    Import
  </Button>
)

function ProjectsList({ projects }: { projects: readonly Project[] }) {
  const { filter, change, isUsed } = useProjectFilter()
  const needsTools = useNeedsTools(projects.length, isUsed)

  const chosen = chooseProjects(projects, filter)
  const isTable = projects.length > MOST_CARDS
  const start = (filter.page - 1) * PER_PAGE
  // A page continues the group of the page before.
  const inOrder = groupProjects(chosen, filter.group).flatMap((group) => group.projects)
  const groups = groupProjects(
    isTable ? inOrder.slice(start, start + PER_PAGE) : inOrder,
    filter.group,
  )

  return (
    <>
      {needsTools && <ProjectsToolbar filter={filter} change={change} />}
      {chosen.length === 0 && (
        <NothingFound onShowAll={() => change({ search: '', kind: 'all' })} />
      )}
      <div>
        <Stack gap="lg">
          {groups.map((group) => (
            <section key={group.title} aria-label={group.title || undefined}>
              {group.title !== '' && (
                <Title order={2} size="h3" mb="sm">
                  {group.title}
                </Title>
              )}
              {isTable ? (
                <ProjectsTable projects={group.projects} />
              ) : (
                <Cards projects={group.projects} />
              )}
            </section>
          ))}
        </Stack>
        {isTable && (
          <Pager
            page={filter.page}
            pageSize={PER_PAGE}
            total={chosen.length}
            onPage={(page) => change({ page })}
          />
        )}
      </div>
    </>
  )
}

const Cards = ({ projects }: { projects: readonly Project[] }) => (
  <CardGrid>
    {projects.map((project) => (
      <OwnProjectCard key={project.project_id} project={project} />
    ))}
  </CardGrid>
)

const NothingFound = ({ onShowAll }: { onShowAll: () => void }) => (
  <EmptyState
    icon={IconSearchOff}
    title="No projects here"
    text="No project of yours matches the search and the filter."
    action={
      <Button variant="default" onClick={onShowAll}>
        Show all projects
      </Button>
    }
  />
)
