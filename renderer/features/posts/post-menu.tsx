import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconTrash } from '@tabler/icons-react'
import type { Post } from '../../../server/contract'

interface PostMenuProps {
  post: Post
  /** True after an edit, which returns the focus here. */
  focused: boolean
  onEdit: () => void
  onDelete: () => void
}

export function PostMenu({ post, focused, onEdit, onDelete }: PostMenuProps) {
  const mayEdit = post.can.includes('update')
  const mayDelete = post.can.includes('delete')
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" ml="auto" aria-label="Actions for this update" autoFocus={focused}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {mayEdit && (
          <Menu.Item leftSection={<IconPencil size={16} />} onClick={onEdit}>
            Edit
          </Menu.Item>
        )}
        {mayDelete && (
          <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} />} onClick={onDelete}>
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
