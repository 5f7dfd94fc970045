import { Menu } from '@mantine/core'
import {
  IconDownload,
  IconInfoCircle,
  IconLink,
  IconLock,
  IconStack2,
  IconTrash,
  IconWorld,
} from '@tabler/icons-react'
import type { File } from '../../../server/contract'
import { useCopyLink } from '../../lib/links/use-copy-link'
import { messages } from '../../lib/texts/messages'
import { downloadUrl } from '../../paths'
import { ShareMenuItem } from '../share-links/share-menu-item'
import type { MenuStart } from '../../ui/table/late-menu'

export interface FileMenuProps {
  file: File
  onDetails: () => void
  onVisibility: (isPublic: boolean) => void
  onDelete: () => void
}

interface FileRowMenuProps extends FileMenuProps, MenuStart {
  onAdd: () => void
}

/** The menu of a file in a row. */
export function FileRowMenu(props: FileRowMenuProps) {
  const { file, button, defaultOpened, onDetails, onVisibility, onAdd, onDelete } = props
  const copyLink = useCopyLink()

  return (
    <Menu position="bottom-end" defaultOpened={defaultOpened}>
      <Menu.Target>{button}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          component="a"
          href={downloadUrl.file(file.file_id)}
          download
          leftSection={<IconDownload size={16} />}
        >
          Download
        </Menu.Item>
        <Menu.Item leftSection={<IconInfoCircle size={16} />} onClick={onDetails}>
          Details
        </Menu.Item>
        {file.is_public && (
          <Menu.Item
            leftSection={<IconLink size={16} />}
            onClick={() => void copyLink(downloadUrl.publicFile(file.owner, file.file_id))}
          >
            Copy link
          </Menu.Item>
        )}
        <ShareMenuItem file={file} />
        {file.can.includes('update') && (
          <Menu.Item
            leftSection={file.is_public ? <IconLock size={16} /> : <IconWorld size={16} />}
            onClick={() => onVisibility(!file.is_public)}
          >
            {file.is_public ? messages.file.makePrivate : messages.file.makePublic}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<IconStack2 size={16} />} aria-haspopup="dialog" onClick={onAdd}>
          Add to project…
        </Menu.Item>
        {file.can.includes('delete') && (
          <>
            <Menu.Divider />
            <Menu.Item
              c="var(--mantine-color-error)"
              leftSection={<IconTrash size={16} />}
              onClick={onDelete}
            >
              Delete
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
