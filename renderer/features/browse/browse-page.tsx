import { Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconPackages, IconSearchOff } from '@tabler/icons-react'
import type { Project } from '../../../server/contract'
import { formatWhole } from '../../lib/texts/format'
import { useSearchParam } from '../../lib/hooks/use-search-param'
import { CardGrid, CardGridSkeleton } from '../../ui/table/card-grid'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { MoreCards } from '../../ui/table/more-cards'
import { Page } from '../../ui/layout/page'
import { SearchInput } from '../../ui/table/search-input'
import { useNow } from '../../ui/text/use-now'
import { ProjectCard } from '../../visitor/landing/project-card'
import { usePublicProjects } from './use-public-projects'

export function BrowsePage() {
  const [search, setSearch] = useSearchParam('q')
  const projects = usePublicProjects(search)
  const { total = 0 } = projects
  return (
    <Page title="Browse projects" description="What people publish on this host. Choose a project to download it.">
      <Group mb="md" gap="md">
        <SearchInput label="Search projects" value={search} onChange={setSearch} />
        <Text c="dimmed" role="status">
          {total > 0 && resultCount(total)}
        </Text>
      </Group>
      <Loaded query={projects} title="The projects could not be loaded" skeleton={<CardGridSkeleton cards={6} />}>
        {(data) =>
          data.length === 0 ? (
            <Nothing search={search} onClear={() => setSearch('')} />
          ) : (
            <>
              <Results projects={data} />
              <MoreCards {...projects} things="projects" visibleCount={data.length} total={total} />
            </>
          )
        }
      </Loaded>
    </Page>
  )
}

const resultCount = (count: number) => (count === 1 ? '1 project' : `${formatWhole(count)} projects`)

function Results({ projects }: { projects: readonly Project[] }) {
  const now = useNow()
  return (
    <>
      <VisuallyHidden>
        <h2>Projects</h2>
      </VisuallyHidden>
      <CardGrid>
        {projects.map((project) => (
          <ProjectCard key={project.project_id} project={project} now={now} />
        ))}
      </CardGrid>
    </>
  )
}

function Nothing({ search, onClear }: { search: string; onClear: () => void }) {
  if (search.trim() === '') {
    return (
      <EmptyState
        icon={IconPackages}
        title="No public projects yet"
        text="As soon as someone on this host makes a project public, it appears here."
      />
    )
  }
  return (
    <EmptyState
      icon={IconSearchOff}
      title={`No project matches “${search.trim()}”`}
      text="The search looks at titles and short descriptions. Try a shorter word."
      action={
        <Button variant="default" onClick={onClear}>
          Clear search
        </Button>
      }
    />
  )
}
