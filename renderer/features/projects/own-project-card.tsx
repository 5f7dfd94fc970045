import { ActionIcon, Anchor, Badge, Button, Card, Group, Menu, Text, Title } from '@mantine/core'
import { IconDots, IconExternalLink, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { formatCount } from '../../lib/texts/format'
import { paths } from '../../paths'
import { Monogram } from '../../ui/text/monogram'
import classes from './own-project-card.module.css'
import { VisibilityBadge } from './visibility-badge'
import { useDeleteProject } from './use-projects'

export function OwnProjectCard({ project }: { project: Project }) {
  const { project_id, title, icon_url, summary, is_public, role, owner, total_files, stats } = project
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
        <ProjectMenu project={project} />
      </Group>
      <Group gap={6}>
        <VisibilityBadge isPublic={is_public} />
        {role === 'collaborator' && <Badge color="gray">Shared by {owner}</Badge>}
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
          {plural(total_files, 'file')} · {plural(stats.total_downloads, 'download')} · {plural(stats.views, 'view')}
        </Text>
        <Button
          component={Link}
          to={paths.project(project_id)}
          size="xs"
          variant="default"
          aria-label={`${verb} ${title}`}
        >
          {verb}
        </Button>
      </Group>
    </Card>
  )
}

const plural = (count: number, noun: string) => `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`

/** What can be done with a project in a list. */
export function ProjectMenu({ project }: { project: Project }) {
  const remove = useDeleteProject()
  const { title, slug, is_public, can } = project
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${title}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={paths.publicProject(slug)} leftSection={<IconExternalLink size={16} />}>
          {is_public ? 'View public page' : 'Preview page'}
        </Menu.Item>
        {can.includes('delete') && (
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} />}
            onClick={() => remove(project)}
          >
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
