import { Menu } from '@mantine/core'
import { IconFolder, IconKey, IconLink } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths'
import type { MenuStart } from '../../ui/table/late-menu'
import { canChooseFolder, chooseFolder } from '../uploads/drop/drop-place'

interface AddFilesMenuProps extends MenuStart {
  projectId: string
  /** Adds files that are already on the host. */
  onExisting: () => void
}

/** Menu of the less usual ways to add files to a project. */
export function AddFilesMenu({ projectId, onExisting, button, defaultOpened }: AddFilesMenuProps) {
  return (
    <Menu position="bottom-end" defaultOpened={defaultOpened}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        {canChooseFolder() && (
          <Menu.Item leftSection={<IconFolder size={16} />} onClick={chooseFolder} visibleFrom="sm">
            Choose a folder
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconLink size={16} />} onClick={onExisting}>
          Add existing files
        </Menu.Item>
        <Menu.Item
          component={Link}
          to={`${paths.apiKeys}?project=${projectId}`}
          leftSection={<IconKey size={16} />}
        >
          Upload from CI
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
