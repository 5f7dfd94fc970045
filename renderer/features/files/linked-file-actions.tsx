import { Group } from '@mantine/core'
import { IconDownload, IconLinkOff } from '@tabler/icons-react'
import type { LinkedFile, Project } from '../../../server/contract'
import { downloadUrl } from '../../paths'
import { RowAction, RowDownload } from '../../ui/row-action'

interface LinkedFileActionsProps {
  project: Project
  file: LinkedFile
  onRemove: () => void
}

export function LinkedFileActions({ project, file: { file_id, filename, can }, onRemove }: LinkedFileActionsProps) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <RowDownload
        icon={IconDownload}
        verb="Download"
        what={filename}
        href={downloadUrl.project(project.project_id, file_id)}
      />
      {can.includes('unlink') && (
        <RowAction icon={IconLinkOff} verb="Remove from project" what={filename} onClick={onRemove} />
      )}
    </Group>
  )
}
