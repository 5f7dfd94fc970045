import { Button } from '@mantine/core'
import { IconMapOff } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths'
import { NothingHere } from '../../ui/feedback/nothing-here'

export function NotFoundPage() {
  return (
    <NothingHere
      icon={IconMapOff}
      title="Page not found"
      text={
        'There is nothing at this address. Check it for typing mistakes, or start from one of ' +
        'these pages.'
      }
      actions={
        <>
          <Button component={Link} to={paths.browse}>
            Browse Projects
          </Button>
          <Button component={Link} to={paths.landing} variant="default">
            Start page
          </Button>
        </>
      }
    />
  )
}
