import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router-dom'
import type { File } from '../../../../server/contract'
import { paths } from '../../../paths'

/** The project that uses a file, and how many more do; a dash for none. */
export function ProjectsOfFile({ projects }: Pick<File, 'projects'>) {
  const [first, ...others] = projects
  if (!first) {
    return (
      <Text component="span" inherit c="dimmed" title="In no project">
        –
      </Text>
    )
  }
  return (
    <span title={projects.map(({ title }) => title).join(', ')}>
      <Anchor component={Link} to={paths.project(first.project_id)} inherit>
        <bdi>{first.title}</bdi>
      </Anchor>
      {others.length > 0 && ` +${others.length}`}
    </span>
  )
}
