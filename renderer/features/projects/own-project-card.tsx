import { Anchor, Badge, Button, Card, Group, Text, Title } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { lazyPage } from '../../lib/browser/lazy-page'
import { formatShortQuantity } from '../../lib/texts/format'
import { paths } from '../../paths'
import { LateMenu, MenuButton } from '../../ui/table/late-menu'
import { Monogram } from '../../ui/text/monogram'
import classes from './own-project-card.module.css'
import { VisibilityBadge } from './visibility-badge'

const ProjectMenu = lazyPage(() => import('./project-menu'), 'ProjectMenu')

export function OwnProjectCard({ project }: { project: Project }) {
  const { project_id, title, icon_url, summary, is_public, role, owner, total_files, stats } =
    project
  const verb = project.can.includes('update') ? 'Manage' : 'Open'

  return (
    <Card component="article" padding="md" className={classes.card}>
      <Group gap="sm" wrap="nowrap">
        <Monogram name={title} icon={icon_url} />
        <Title order={2} size="h3" className={classes.title} title={title}>
          <Link to={paths.project(project_id)} className={classes.link}>
            <bdi>{title}</bdi>
          </Link>
        </Title>
        <LateProjectMenu project={project} />
      </Group>
      <Group gap={6}>
        <VisibilityBadge isPublic={is_public} />
        {role !== 'owner' && <Badge color="gray">Shared by {owner}</Badge>}
      </Group>
      {summary !== '' && (
        <Text c="dimmed" lineClamp={2}>
          {summary}
        </Text>
      )}
      {summary === '' && project.can.includes('update') && (
        <Anchor component={Link} to={paths.projectSettings(project_id)}>
          Add a description
        </Anchor>
      )}
      <Group justify="space-between" wrap="nowrap" gap="xs" mt="auto">
        <Text size="xs" c="dimmed" truncate>
          {formatShortQuantity(total_files, 'file')} ·{' '}
          {formatShortQuantity(stats.total_downloads, 'download')} ·{' '}
          {formatShortQuantity(stats.views, 'view')}
        </Text>
        <Button
          component={Link}
          to={paths.project(project_id)}
          size="xs"
          variant="default"
          flex="none"
          aria-label={`${verb} ${title}`}
        >
          {verb}
        </Button>
      </Group>
    </Card>
  )
}

export const LateProjectMenu = ({ project }: { project: Project }) => (
  <LateMenu button={<MenuButton label={`Actions for ${project.title}`} />}>
    {(start) => <ProjectMenu project={project} {...start} />}
  </LateMenu>
)
