import { Menu } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import type { Post } from '../../../server/contract'
import type { MenuStart } from '../../ui/table/late-menu'

interface PostMenuProps extends MenuStart {
  post: Post
  onEdit: () => void
  onDelete: () => void
}

export function PostMenu({ post, button, defaultOpened, onEdit, onDelete }: PostMenuProps) {
  const mayEdit = post.can.includes('update')
  const mayDelete = post.can.includes('delete')

  return (
    <Menu position="bottom-end" defaultOpened={defaultOpened}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {mayEdit && (
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
            Edit
          </Menu.Item>
        )}
        {mayDelete && (
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} />}
            onClick={onDelete}
          >
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
