import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths'

export function ToTrash() {
  return (
    <Button
      component={Link}
      to={paths.trash}
      variant="default"
      leftSection={<IconTrash size={16} />}
    >
      Trash
    </Button>
  )
}
