import { Button } from '@mantine/core'
import { IconFolderQuestion } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { messages } from '../../lib/texts/messages'
import { NothingHere } from '../../ui/feedback/nothing-here'
import { paths } from '../../paths'

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
