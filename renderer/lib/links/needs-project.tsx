import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router-dom'
import { paths } from '../../paths'

/** Replaces the choice of a project if the person has none. */
export function NeedsProject() {
  return (
    <Text>
      You need a project first.{' '}
      <Anchor component={Link} to={paths.projects} inherit underline="always">
        Create a project
      </Anchor>
    </Text>
  )
}
