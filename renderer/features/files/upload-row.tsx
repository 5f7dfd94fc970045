import { ActionIcon, Button, Group, Progress, Stack, Text, Tooltip } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { FileIcon } from '../../ui/file-icon'
import { MiddleEllipsis } from '../../ui/middle-ellipsis'
import { shareDone, type Upload } from './upload-queue'
import { uploadError, uploadStatus } from './upload-status'

interface UploadRowProps {
  upload: Upload
  onRetry: () => void
  onRemove: () => void
}

/** One upload with its own progress, in the place where its file will stand. */
export function UploadRow({ upload, onRetry, onRemove }: UploadRowProps) {
  const { file, state } = upload
  const failed = state === 'failed' || state === 'unlinked'
  const percent = Math.floor(shareDone(upload) * 100)
  const remove = failed ? 'Dismiss' : 'Cancel'

  return (
    <Group component="li" wrap="nowrap" gap="sm" px="md" py="sm" align="center">
      <FileIcon filename={file.name} />
      <Stack gap={4} miw={0} flex={1}>
        <Group wrap="nowrap" gap="sm" justify="space-between">
          <Text component="span" display="flex" miw={0}>
            <MiddleEllipsis text={file.name} />
          </Text>
          {!failed && state !== 'waiting' && (
            <Text size="xs" fw={600} ff="monospace" style={{ whiteSpace: 'nowrap' }}>
              {percent} %
            </Text>
          )}
        </Group>
        {!failed && <UploadBar name={file.name} percent={percent} />}
        {failed ? (
          <UploadProblem upload={upload} />
        ) : (
          <Text size="xs" c="dimmed">
            {uploadStatus(upload)}
          </Text>
        )}
      </Stack>
      {failed && (
        <Button size="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
      {state === 'done' ? (
        <IconCheck size={20} color="var(--accent-text)" aria-label="Done" />
      ) : (
        <Tooltip label={remove}>
          <ActionIcon variant="subtle" color="gray" aria-label={`${remove} ${file.name}`} onClick={onRemove}>
            <IconX size={16} />
          </ActionIcon>
        </Tooltip>
      )}
    </Group>
  )
}

function UploadProblem({ upload }: { upload: Upload }) {
  const { text, reason } = uploadError(upload)
  return (
    <div role="alert">
      <Text size="xs" c="var(--mantine-color-error)">
        {text}
      </Text>
      {reason && (
        <Text size="xs" c="dimmed">
          {reason}
        </Text>
      )}
    </div>
  )
}

/** Moves between two reports of progress instead of jumping. */
function UploadBar({ name, percent }: { name: string; percent: number }) {
  return (
    <Progress.Root size="sm" transitionDuration={200}>
      <Progress.Section value={percent} aria-label={`Upload of ${name}`} />
    </Progress.Root>
  )
}
