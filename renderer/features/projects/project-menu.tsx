import { Menu } from '@mantine/core'
import { IconExternalLink, IconTrash } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import type { Project } from '../../../server/contract'
import { paths } from '../../paths'
import type { MenuStart } from '../../ui/table/late-menu'
import { useDeleteProject } from './use-projects'

/** The menu of a project's card. */
export function ProjectMenu({ project, button, defaultOpened }: { project: Project } & MenuStart) {
  const remove = useDeleteProject()
  const { slug, is_public, can } = project

  return (
    <Menu position="bottom-end" defaultOpened={defaultOpened}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component={Link}
          to={paths.publicProject(slug)}
          leftSection={<IconExternalLink size={16} />}
        >
          {is_public ? 'View public page' : 'Preview page'}
        </Menu.Item>
        {can.includes('delete') && (
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} />}
            onClick={() => remove(project)}
          >
            Delete
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
