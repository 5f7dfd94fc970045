import { Box, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconCheck, IconPlayerPause, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { useConnection } from '../../../lib/client/connection'
import { formatSize } from '../../../lib/texts/format'
import { FileIcon } from '../../../ui/file/file-icon'
import { MiddleEllipsis } from '../../../ui/text/middle-ellipsis'
import { WarningList } from '../../../ui/feedback/warning-list'
import { RowAction } from '../../../ui/table/row-action'
import { canPause, hasWarnings, shareDone, type Upload, type UploadState } from '../upload'
import classes from './upload-list.module.css'
import type { UploadQueue } from '../queue/upload-queue'
import { uploadError, uploadStatus } from '../queue/upload-status'

export function UploadRow({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const { id, file, state, stored, warnings = [] } = upload
  const failed = state === 'failed' || state === 'unlinked'
  // Otherwise the bar under the header offers it.
  const hasHost = useConnection() === 'answers'

  return (
    <li className={classes.row}>
      <Group wrap="nowrap" gap="sm" miw={0} flex="1 1 10rem">
        <FileIcon filename={file.name} icon={stored?.icon_url} size={24} />
        <Stack gap={4} miw={0} flex={1}>
          <UploadName upload={upload} />
          {failed ? <UploadProblem upload={upload} /> : <UploadProgress upload={upload} />}
        </Stack>
      </Group>
      <Group gap="sm" wrap="nowrap" ml="auto">
        {(failed || (state === 'interrupted' && hasHost)) && (
          <Button size="xs" variant="default" onClick={() => queue.resume(id)}>
            {failed ? 'Try again' : 'Try now'}
          </Button>
        )}
        {!failed && <PauseOrResume upload={upload} queue={queue} />}
        {state === 'done' && <IconCheck size={20} color="var(--accent-text)" aria-label="Done" />}
        {(state !== 'done' || hasWarnings(upload)) && (
          <RowAction
            icon={IconX}
            verb={failed || state === 'done' ? 'Dismiss' : 'Cancel'}
            what={file.name}
            onClick={() => queue.remove(id)}
          />
        )}
      </Group>
      {warnings.length > 0 && (
        <Box flex="1 0 100%">
          <WarningList warnings={warnings} />
        </Box>
      )}
    </li>
  )
}

function UploadName({ upload }: { upload: Upload }) {
  const isUnderWay = !['failed', 'unlinked', 'waiting'].includes(upload.state)

  return (
    <Group wrap="nowrap" gap="sm" justify="space-between">
      <Text component="span" display="flex" miw={0}>
        <MiddleEllipsis text={upload.file.name} />
      </Text>
      {isUnderWay && (
        <Text size="xs" fw={600} ff="monospace" style={{ whiteSpace: 'nowrap' }}>
          {percentOf(upload)} %
        </Text>
      )}
    </Group>
  )
}

/** Without a connection there is nothing to pause: offers an immediate retry. */
function PauseOrResume({ upload, queue }: { upload: Upload; queue: UploadQueue }) {
  const { id, file, state } = upload
  if (state === 'paused') {
    return (
      <RowAction
        icon={IconPlayerPlay}
        verb="Resume"
        what={file.name}
        onClick={() => queue.resume(id)}
      />
    )
  }

  if (state === 'interrupted' || !canPause(upload)) return null

  return (
    <RowAction
      icon={IconPlayerPause}
      verb="Pause"
      what={file.name}
      onClick={() => queue.pause(id)}
    />
  )
}

const colours: Partial<Record<UploadState, string>> = { paused: 'gray', interrupted: 'orange' }

/** Animates between two progress events. */
function UploadProgress({ upload }: { upload: Upload }) {
  const { file, state, resumedFrom } = upload

  return (
    <>
      <Progress.Root size="sm" transitionDuration={200}>
        <Progress.Section
          value={percentOf(upload)}
          color={colours[state] ?? ''}
          aria-label={`Upload of ${file.name}`}
        />
      </Progress.Root>
      <Text size="xs" c="dimmed" truncate={state === 'sending'}>
        {uploadStatus(upload)}
      </Text>
      {resumedFrom !== undefined && (
        <Text size="xs" c="dimmed">
          {`Resumed: the host already had the first ${formatSize(resumedFrom)}.`}
        </Text>
      )}
    </>
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

const percentOf = (upload: Upload): number => Math.floor(shareDone(upload) * 100)
