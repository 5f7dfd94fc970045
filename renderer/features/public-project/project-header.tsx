import { Anchor, Badge, Button, Text, Title } from '@mantine/core'
import { IconLock, IconWorld } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { paths } from '../../paths'
import { Monogram } from '../../ui/text/monogram'
import classes from './project.module.css'

export function ProjectHeader({ project }: { project: Project }) {
  const { title, short_description, owner, project_url, is_public, role, project_id } = project
  return (
    <header className={classes.header}>
      <Monogram name={title} size={56} />
      <div className={classes.names}>
        <Title order={1}>
          <bdi>{title}</bdi>
        </Title>
        {short_description !== '' && (
          <Text size="md">
            <bdi>{short_description}</bdi>
          </Text>
        )}
        <div className={classes.byline}>
          <span>
            by <strong>{owner}</strong>
          </span>
          {project_url && <Website address={project_url} />}
          {!is_public && (
            <Badge
              color="gray"
              leftSection={<IconLock size={12} />}
              title="Only you and its collaborators see this page"
            >
              Private
            </Badge>
          )}
        </div>
      </div>
      {role !== null && (
        <Button component={Link} to={paths.project(project_id)} variant="default">
          Manage
        </Button>
      )}
    </header>
  )
}

function Website({ address }: { address: string }) {
  return (
    <Anchor href={address} target="_blank" rel="noopener noreferrer nofollow ugc">
      <IconWorld size={16} style={{ verticalAlign: '-3px', marginInlineEnd: 4 }} aria-hidden />
      {new URL(address).host}
    </Anchor>
  )
}
