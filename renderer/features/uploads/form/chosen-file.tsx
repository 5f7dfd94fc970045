import { ActionIcon, Group, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { countOf } from '../../../lib/client/each-file'
import { formatSize } from '../../../lib/texts/format'
import { FileIcon } from '../../../ui/file/file-icon'
import { MiddleEllipsis } from '../../../ui/text/middle-ellipsis'
import type { Choice } from '../transport/admission'

export function ChosenFile({
  choice: { file, refusal, keptBytes },
  onRemove,
}: {
  choice: Choice
  onRemove: () => void
}) {
  return (
    <Group component="li" wrap="nowrap" gap="sm" py={6}>
      <FileIcon filename={file.name} />
      <Stack gap={0} miw={0} flex={1}>
        <Text component="span" display="flex" c={refusal ? 'dimmed' : ''}>
          <MiddleEllipsis text={file.name} />
        </Text>
        {refusal && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {refusal}
          </Text>
        )}
        {'fileCount' in file && !refusal && (
          <Text size="xs" c="dimmed">
            {`A folder with ${countOf(file.fileCount)}, sent as one ZIP.`}
          </Text>
        )}
        {keptBytes !== undefined && (
          <Text size="xs" c="dimmed" role="status">
            {`The host already has the first ${formatSize(keptBytes)}, and the upload resumes from there.`}
          </Text>
        )}
      </Stack>
      {!refusal && (
        <Text c="dimmed" size="xs" style={{ whiteSpace: 'nowrap' }}>
          {formatSize(file.size)}
        </Text>
      )}
      <ActionIcon variant="subtle" color="gray" aria-label={`Leave out ${file.name}`} onClick={onRemove}>
        <IconX size={16} />
      </ActionIcon>
    </Group>
  )
}
