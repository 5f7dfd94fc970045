import { Anchor, Badge, Group } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { Project } from '../../../../server/contract'
import { formatCount } from '../../../lib/texts/format'
import { paths } from '../../../paths'
import { ACTIONS, DataTable, type Column } from '../../../ui/table/data-table'
import { Monogram } from '../../../ui/text/monogram'
import { Time } from '../../../ui/text/time'
import { LateProjectMenu } from '../own-project-card'
import { VisibilityBadge } from '../visibility-badge'

const columns: Column<Project>[] = [
  { header: 'Name', onPhone: 'title', cell: (project) => <Name project={project} /> },
  {
    header: 'Visibility',
    width: 220,
    fits: true,
    cell: ({ is_public, role, owner }) => (
      <Group gap={6} wrap="nowrap">
        <VisibilityBadge isPublic={is_public} />
        {role !== 'owner' && <Badge color="gray">Shared by {owner}</Badge>}
      </Group>
    ),
  },
  {
    header: 'Files',
    width: 90,
    fits: true,
    namedOnPhone: true,
    cell: ({ total_files }) => formatCount(total_files),
  },
  {
    header: 'Downloads',
    width: 110,
    fits: true,
    namedOnPhone: true,
    cell: ({ stats }) => formatCount(stats.total_downloads),
  },
  {
    header: 'Updated',
    width: 150,
    fits: true,
    cell: ({ updated_at }) => <Time value={updated_at} />,
  },
  { ...ACTIONS, width: 60, cell: (project) => <LateProjectMenu project={project} /> },
]

/** Many projects, one line for each. */
export function ProjectsTable({ projects }: { projects: readonly Project[] }) {
  return (
    <DataTable
      label="Your projects"
      rows={projects}
      rowKey={({ project_id }) => project_id}
      columns={columns}
    />
  )
}

function Name({ project: { project_id, title, icon_url } }: { project: Project }) {
  return (
    <Group gap="sm" wrap="nowrap">
      <Monogram name={title} icon={icon_url} size={28} />
      <Anchor
        component={Link}
        to={paths.project(project_id)}
        c="inherit"
        fw={600}
        truncate
        title={title}
      >
        <bdi>{title}</bdi>
      </Anchor>
    </Group>
  )
}
