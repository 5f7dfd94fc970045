import { Button } from '@mantine/core'
import { IconFolderQuestion } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { messages } from '../../lib/texts/messages'
import { paths } from '../../paths'
import { NothingHere } from '../../ui/feedback/nothing-here'

/** Says that a project does not exist, or is not for this person. */
export function NoProject() {
  return (
    <NothingHere
      icon={IconFolderQuestion}
      title="Project not found"
      text={messages.project.notFound}
      actions={
        <Button component={Link} to={paths.projects}>
          Your projects
        </Button>
      }
    />
  )
}
