import { Anchor, Group, Stack, Text, Title } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { Project } from '../../../../server/contract'
import { paths } from '../../../paths'
import { Monogram } from '../../../ui/text/monogram'
import { Time } from '../../../ui/text/time'
import classes from './project-page.module.css'
import { PublicAddress } from './public-address'
import { VisibilityBadge } from '../visibility-badge'

export function ProjectHeader({ project }: { project: Project }) {
  const { title, icon_url, short_description, is_public, owner, role, created_at, updated_at } = project
  return (
    <Stack component="header" gap="md">
      <Stack gap={4}>
        <Anchor component={Link} to={paths.projects} size="xs" c="dimmed" w="fit-content">
          ← Projects
        </Anchor>
        <Group gap="4px 12px">
          {icon_url !== null && <Monogram name={title} icon={icon_url} />}
          <Title order={1} className={classes.title}>
            <bdi>{title}</bdi>
          </Title>
          <VisibilityBadge isPublic={is_public} />
        </Group>
        {short_description !== '' && (
          <Text size="md">
            <bdi>{short_description}</bdi>
          </Text>
        )}
        <Text size="xs" c="dimmed">
          {role === 'collaborator' ? `Shared by ${owner} · created ` : 'Created '}
          <Time value={created_at} inSentence /> · updated <Time value={updated_at} inSentence />
        </Text>
      </Stack>
      <PublicAddress project={project} />
    </Stack>
  )
}
