import { ActionIcon, Group, Tooltip } from '@mantine/core'
import { IconDownload, IconLinkOff } from '@tabler/icons-react'
import type { LinkedFile, Project } from '../../../server/contract'
import { downloadUrl } from '../../paths'

interface LinkedFileActionsProps {
  project: Project
  file: LinkedFile
  onRemove: () => void
}

export function LinkedFileActions({ project, file, onRemove }: LinkedFileActionsProps) {
  return (
    <Group gap={4} wrap="nowrap" justify="flex-end">
      <Tooltip label="Download">
        <ActionIcon
          component="a"
          href={downloadUrl.project(project.project_id, file.file_id)}
          download
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Download ${file.filename}`}
        >
          <IconDownload size={18} />
        </ActionIcon>
      </Tooltip>
      {file.can.includes('unlink') && (
        <Tooltip label="Remove from project">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={`Remove ${file.filename} from the project`}
            onClick={onRemove}
          >
            <IconLinkOff size={18} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  )
}
