import { ActionIcon, Group, Menu } from '@mantine/core'
import { IconDots, IconDownload, IconInfoCircle, IconLinkOff, IconWorld } from '@tabler/icons-react'
import type { LinkedFile, Project } from '../../../server/contract'
import { messages } from '../../lib/texts/messages'
import { downloadUrl } from '../../paths'
import { RowAction, RowDownload } from '../../ui/table/row-action'
import { useIsPhone } from '../../ui/table/use-is-phone'

interface LinkedFileActionsProps {
  project: Project
  file: LinkedFile
  onDetails: () => void
  onPublish: (() => void) | undefined
  onRemove: () => void
}

export function LinkedFileActions(props: LinkedFileActionsProps) {
  return useIsPhone() ? <ActionMenu {...props} /> : <ActionButtons {...props} />
}

function ActionButtons({ project, file, onDetails, onRemove }: LinkedFileActionsProps) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <RowAction icon={IconInfoCircle} verb="Details" what={file.filename} onClick={onDetails} />
      <RowDownload icon={IconDownload} verb="Download" what={file.filename} href={buildHref(project, file)} />
      {file.can.includes('unlink') && (
        <RowAction icon={IconLinkOff} verb="Remove from project" what={file.filename} onClick={onRemove} />
      )}
    </Group>
  )
}

function ActionMenu({ project, file, onDetails, onPublish, onRemove }: LinkedFileActionsProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" size="xl" aria-label={`Actions for ${file.filename}`}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component="a" href={buildHref(project, file)} download leftSection={<IconDownload size={16} />}>
          Download
        </Menu.Item>
        <Menu.Item leftSection={<IconInfoCircle size={16} />} onClick={onDetails}>
          Details
        </Menu.Item>
        {onPublish && (
          <Menu.Item leftSection={<IconWorld size={16} />} onClick={onPublish}>
            {messages.file.makePublic}
          </Menu.Item>
        )}
        {file.can.includes('unlink') && (
          <Menu.Item c="var(--mantine-color-error)" leftSection={<IconLinkOff size={16} />} onClick={onRemove}>
            Remove from project
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  )
}

const buildHref = ({ project_id }: Project, { file_id }: LinkedFile) => downloadUrl.project(project_id, file_id)
