import { Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { paths } from '../../paths'
import classes from './dashboard.module.css'

/** Others are on the projects page. */
const MOST = 3

/** Projects of other people that the person works on. */
export function SharedWithYou({ projects }: { projects: readonly Project[] }) {
  const shared = projects.filter(({ role }) => role !== 'owner').slice(0, MOST)
  if (shared.length === 0) return null

  return (
    <Stack component="section" gap="sm" aria-labelledby="shared">
      <Title order={2} size="h3" id="shared">
        Shared with you
      </Title>
      <ul className={classes.suggestions}>
        {shared.map(({ project_id, title, owner }) => (
          <li key={project_id}>
            <UnstyledButton
              component={Link}
              to={paths.project(project_id)}
              className={classes.suggestion}
            >
              <Text component="span" style={{ overflowWrap: 'anywhere' }}>
                {owner} shared <b>{title}</b> with you
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
