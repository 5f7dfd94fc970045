import { Menu } from '@mantine/core'
import { IconDownload, IconInfoCircle, IconLinkOff, IconWorld } from '@tabler/icons-react'
import type { LinkedFile, Project } from '../../../server/contract'
import { messages } from '../../lib/texts/messages'
import { ShareMenuItem } from '../share-links/share-menu-item'
import type { MenuStart } from '../../ui/table/late-menu'

export interface LinkedFileActionsProps {
  project: Project
  file: LinkedFile
  onDetails: () => void
  onPublish: (() => void) | undefined
  onRemove: () => void
}

interface LinkedFileMenuProps extends LinkedFileActionsProps, MenuStart {
  /** Of its download. */
  href: string
}

/** Menu of the actions on a file of a project, on a phone. */
export function LinkedFileMenu(props: LinkedFileMenuProps) {
  const { file, href, button, defaultOpened, onDetails, onPublish, onRemove } = props

  return (
    <Menu position="bottom-end" defaultOpened={defaultOpened}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={href} download leftSection={<IconDownload size={16} />}>
          Download
        </Menu.Item>
        <Menu.Item leftSection={<IconInfoCircle size={16} />} onClick={onDetails}>
          Details
        </Menu.Item>
        <ShareMenuItem file={file} />
        {onPublish && (
          <Menu.Item leftSection={<IconWorld size={16} />} onClick={onPublish}>
            {messages.file.makePublic}
          </Menu.Item>
        )}
        {file.can.includes('unlink') && (
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconLinkOff size={16} />}
            onClick={onRemove}
          >
            Remove from project
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
