import { Menu } from '@mantine/core'
import { IconShare2 } from '@tabler/icons-react'
import { openShareLinks, type SharedFile } from './share-place'

/** Opens the share links of a file, in the menu of those who may share it. */
export const ShareMenuItem = ({ file }: { file: SharedFile & { can: readonly string[] } }) =>
  file.can.includes('share') && (
    <Menu.Item
      leftSection={<IconShare2 size={16} />}
      aria-haspopup="dialog"
      onClick={() => openShareLinks(file)}
    >
      Share link…
    </Menu.Item>
  )
