import { ActionIcon, Group, Menu, type MantineSize } from '@mantine/core'
import {
  IconDots,
  IconDownload,
  IconInfoCircle,
  IconLink,
  IconLock,
  IconStack2,
  IconTrash,
  IconWorld,
} from '@tabler/icons-react'
import { useState } from 'react'
import type { File } from '../../../server/contract'
import { useShareUrl } from '../../lib/host/host'
import { messages } from '../../lib/texts/messages'
import { downloadUrl } from '../../paths'
import { RowDownload } from '../../ui/table/row-action'
import { useIsPhone } from '../../ui/table/use-is-phone'
import { copyLink } from '../../ui/text/copy-link'
import { AddToProject } from './projects/add-to-project'

interface FileMenuProps {
  file: File
  onDetails: () => void
  onVisibility: (isPublic: boolean) => void
  onDelete: () => void
}

/** Download and menu of a row. */
export function FileActions(props: FileMenuProps) {
  const { file_id, filename } = props.file
  const isPhone = useIsPhone()
  const [isAdding, setAdding] = useState(false)
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      {!isPhone && <RowDownload icon={IconDownload} verb="Download" what={filename} href={downloadUrl.file(file_id)} />}
      <FileMenu {...props} size={isPhone ? 'xl' : 'md'} onAdd={() => setAdding(true)} />
      <AddToProject files={isAdding ? [props.file] : []} onDone={() => setAdding(false)} />
    </Group>
  )
}

function FileMenu({
  file,
  size,
  onDetails,
  onVisibility,
  onAdd,
  onDelete,
}: FileMenuProps & { size: MantineSize; onAdd: () => void }) {
  const shareUrl = useShareUrl()
  const address = shareUrl(downloadUrl.publicFile(file.owner, file.file_id))
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size={size} aria-label={`Actions for ${file.filename}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
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
          <Menu.Item leftSection={<IconLink size={16} />} onClick={() => void copyLink(address)}>
            Copy link
          </Menu.Item>
        )}
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
            <Menu.Item c="var(--mantine-color-error)" leftSection={<IconTrash size={16} />} onClick={onDelete}>
              Delete
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}
