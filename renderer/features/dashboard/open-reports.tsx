import { Stack, Text, Title, UnstyledButton } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { formatQuantity } from '../../lib/texts/format'
import { paths } from '../../paths'
import classes from './dashboard.module.css'

/** Others are on the pages of their projects. */
const MOST = 5

/** Projects with reports that nobody has fixed or closed, those with the most first. */
export function OpenReports({ projects }: { projects: readonly Project[] }) {
  const waiting = projects
    .flatMap(({ open_reports, ...project }) => (open_reports ? [{ ...project, open_reports }] : []))
    .toSorted((a, b) => b.open_reports - a.open_reports)
    .slice(0, MOST)
  if (waiting.length === 0) return null

  return (
    <Stack component="section" gap="sm" aria-labelledby="open-reports">
      <Title order={2} size="h3" id="open-reports">
        Open reports
      </Title>
      <ul className={classes.suggestions}>
        {waiting.map(({ project_id, title, open_reports }) => (
          <li key={project_id}>
            <UnstyledButton
              component={Link}
              to={paths.projectReports(project_id)}
              className={classes.suggestion}
            >
              <Text component="span" style={{ overflowWrap: 'anywhere' }}>
                {formatQuantity(open_reports, 'open report')} in{' '}
                <b>
                  <bdi>{title}</bdi>
                </b>
              </Text>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </Stack>
  )
}
