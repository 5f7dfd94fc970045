import { Anchor, Group, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconPackages } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { useClient } from '../../lib/client/client-context'
import { ProjectCard } from '../../lib/links/project-card'
import { queryKeys } from '../../lib/client/query-keys'
import { paths } from '../../paths'
import { CardGrid, CardGridSkeleton } from '../../ui/table/card-grid'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'

const SHOWN = 6

export function LatestProjects() {
  return (
    <section aria-labelledby="latest">
      <Group justify="space-between" align="baseline" mb="md">
        <Title order={2} id="latest">
          Latest Projects
        </Title>
        <Anchor component={Link} to={paths.browse}>
          All projects
        </Anchor>
      </Group>
      <Latest />
    </section>
  )
}

function Latest() {
  const client = useClient()
  const latest = useQuery({
    queryKey: queryKeys.projects.latest,
    queryFn: ({ signal }) => client.projects.listPublic({ limit: SHOWN }, signal),
  })
  return (
    <Loaded query={latest} title="The projects could not be loaded" skeleton={<CardGridSkeleton cards={3} />}>
      {({ projects }) =>
        projects.length === 0 ? (
          <EmptyState
            icon={IconPackages}
            title="Nothing is published here yet"
            text="The first public project on this host will stand here."
          />
        ) : (
          <CardGrid>
            {projects.map((project) => (
              <ProjectCard key={project.project_id} project={project} />
            ))}
          </CardGrid>
        )
      }
    </Loaded>
  )
}
