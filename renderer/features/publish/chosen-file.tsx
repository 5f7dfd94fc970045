import { ActionIcon, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { factsLine } from '../../../server/texts/files/facts-line'
import { formatFiles, formatSize } from '../../lib/texts/format'
import { FileIcon } from '../../ui/file/file-icon'
import { WarningList } from '../../ui/feedback/warning-list'
import { MiddleEllipsis } from '../../ui/text/middle-ellipsis'
import { uploadError, uploadStatus } from '../uploads/queue/upload-status'
import { useUploads } from '../uploads/queue/use-uploads'
import { shareDone, type Upload } from '../uploads/upload'
import classes from './publish.module.css'
import { useWarnings } from './use-package'
import type { SheetFile } from './use-sheet-files'

interface ChosenFileProps {
  file: SheetFile
  /** A single file is shown larger. */
  isOnly: boolean
  /** Where it will be, which decides what to check before. */
  place: { project: string | undefined; version: string }
  onLeaveOut: () => void
}

/** A file of the sheet: what its package says, how far its upload is, or why it is refused. */
export function ChosenFile({
  file: { file, refusal, keptBytes, upload },
  isOnly,
  place,
  onLeaveOut,
}: ChosenFileProps) {
  const warnings = useWarnings(upload?.stored, place)

  return (
    <Group component="li" wrap="nowrap" gap="sm" py={6} align="flex-start">
      <FileIcon filename={file.name} icon={upload?.stored?.icon_url} size={isOnly ? 48 : 28} />
      <Stack gap={2} miw={0} flex={1}>
        <Text component="span" display="flex" fw={600} c={refusal ? 'dimmed' : ''}>
          <MiddleEllipsis text={file.name} />
        </Text>
        {refusal && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {refusal}
          </Text>
        )}
        {'fileCount' in file && !refusal && (
          <Text size="xs" c="dimmed">
            {`A folder with ${formatFiles(file.fileCount)}, sent as one ZIP. Symbolic links ` +
              'in it may be left out.'}
          </Text>
        )}
        {keptBytes !== undefined && (
          <Text size="xs" c="dimmed" role="status">
            {`The host already has the first ${formatSize(keptBytes)}, and the upload ` +
              'resumes from there.'}
          </Text>
        )}
        {upload ? (
          <UploadLine upload={upload} />
        ) : (
          !refusal && (
            <Text size="xs" c="dimmed">
              {formatSize(file.size)}
            </Text>
          )
        )}
        <WarningList warnings={warnings} />
      </Stack>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Leave out ${file.name}`}
        onClick={onLeaveOut}
      >
        <IconX size={16} />
      </ActionIcon>
    </Group>
  )
}

function UploadLine({ upload }: { upload: Upload }) {
  const { queue } = useUploads()

  const { id, state, stored, file } = upload
  if (state === 'failed') {
    const { text, reason } = uploadError(upload)
    return (
      <Group gap="xs" role="alert">
        <Text size="xs" c="var(--mantine-color-error)">
          {[text, reason].filter(Boolean).join(' ')}
        </Text>
        <Button size="compact-xs" variant="default" onClick={() => queue.resume(id)}>
          Try again
        </Button>
      </Group>
    )
  }

  if (stored) {
    const line = stored.facts ? factsLine(stored.facts) : (stored.version ?? '')
    return (
      <Text size="xs" c="dimmed">
        {[line, formatSize(file.size)].filter(Boolean).join(' · ')}
      </Text>
    )
  }

  return (
    <>
      <Progress.Root size="sm" transitionDuration={200} className={classes.bar ?? ''}>
        <Progress.Section
          value={Math.floor(shareDone(upload) * 100)}
          aria-label={`Upload of ${file.name}`}
        />
      </Progress.Root>
      <Text size="xs" c="dimmed">
        {uploadStatus(upload)}
      </Text>
    </>
  )
}
