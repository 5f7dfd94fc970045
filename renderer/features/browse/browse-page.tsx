import { Button, Group, Text, VisuallyHidden } from '@mantine/core'
import { IconPackages, IconSearchOff } from '@tabler/icons-react'
import type { Project } from '../../../server/contract'
import { formatWhole } from '../../lib/format'
import { ProjectCard } from '../../lib/project-card'
import { useSearchParam } from '../../lib/use-search-param'
import { CardGridSkeleton, LongCardGrid } from '../../ui/card-grid'
import { EmptyState } from '../../ui/empty-state'
import { LoadError } from '../../ui/load-error'
import { Page } from '../../ui/page'
import { SearchInput } from '../../ui/search-input'
import { usePublicProjects } from './use-public-projects'

export function BrowsePage() {
  const [search, setSearch] = useSearchParam('q')
  const { all, found, error, refetch } = usePublicProjects(search)
  return (
    <Page title="Browse projects" description="What people publish on this host. Choose a project to download it.">
      <Group mb="md" gap="md">
        <SearchInput label="Search projects" value={search} onChange={setSearch} />
        <Text c="dimmed" role="status">
          {found && all && all.length > 0 && resultCount(found.length)}
        </Text>
      </Group>
      {error && <LoadError error={error} title="The projects could not be loaded" onRetry={() => void refetch()} />}
      {!found && !error && <CardGridSkeleton cards={6} />}
      {found && found.length > 0 && <Results key={search} projects={found} />}
      {found?.length === 0 && <Nothing search={search} onClear={() => setSearch('')} />}
    </Page>
  )
}

const resultCount = (count: number) => (count === 1 ? '1 project' : `${formatWhole(count)} projects`)

function Results({ projects }: { projects: readonly Project[] }) {
  return (
    <>
      <VisuallyHidden>
        <h2>Projects</h2>
      </VisuallyHidden>
      <LongCardGrid
        items={projects}
        card={(project) => <ProjectCard key={project.project_id} project={project} />}
        moreLabel="Show more projects"
      />
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
