import { Button, FileButton, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { formatDate, formatSize } from '../../../lib/texts/format'
import { FileIcon } from '../../../ui/file/file-icon'
import { MiddleEllipsis } from '../../../ui/text/middle-ellipsis'
import type { Unfinished } from '../transport/unfinished'
import classes from './upload-list.module.css'
import type { useUnfinished } from './use-unfinished'

export function UnfinishedUploads({
  unfinished,
  resume,
  discard,
}: ReturnType<typeof useUnfinished>) {
  if (unfinished.length === 0) return null

  return (
    <Paper withBorder component="section" aria-labelledby="unfinished-uploads">
      <div className={classes.head}>
        <Title order={2} size="h3" id="unfinished-uploads">
          Unfinished uploads
        </Title>
        <Text size="xs" c="dimmed">
          Resume with the same file, or drop the file or folder again: bytes that are already on the
          host are not sent again.
        </Text>
      </div>
      <ul className={classes.list}>
        {unfinished.map((upload) => (
          <UnfinishedRow
            key={upload.upload_id}
            upload={upload}
            onResume={(file) => resume(upload, file)}
            onDiscard={() => discard(upload)}
          />
        ))}
      </ul>
    </Paper>
  )
}

interface UnfinishedRowProps {
  upload: Unfinished
  /** Rejects if the file is not the interrupted one. */
  onResume: (file: File) => Promise<void>
  onDiscard: () => void
}

/**
 * Resume asks for the file, because the browser does not remember it; a folder is dropped again. An
 * upload of another program can be discarded.
 */
function UnfinishedRow({ upload, onResume, onDiscard }: UnfinishedRowProps) {
  const [problem, setProblem] = useState('')

  const choose = (file: File | null) => {
    setProblem('')
    if (file)
      onResume(file).catch((cause: unknown) =>
        setProblem(cause instanceof Error ? cause.message : ''),
      )
  }

  return (
    <li className={classes.row}>
      <Group wrap="nowrap" gap="sm" miw={0} flex="1 1 16rem">
        <FileIcon filename={upload.filename} />
        <UnfinishedState upload={upload} problem={problem} />
      </Group>
      <Group gap="xs" wrap="nowrap" ml="auto">
        {upload.fingerprint !== null && !upload.fingerprint.startsWith('folder-') && (
          <FileButton onChange={choose}>
            {(picker) => (
              <Button
                size="xs"
                variant="default"
                aria-label={`Resume ${upload.filename}`}
                {...picker}
              >
                Resume
              </Button>
            )}
          </FileButton>
        )}
        <Button
          size="xs"
          variant="subtle"
          color="gray"
          aria-label={`Discard ${upload.filename}`}
          onClick={onDiscard}
        >
          Discard
        </Button>
      </Group>
    </li>
  )
}

function UnfinishedState({
  upload: { filename, size, offset, expires_at },
  problem,
}: {
  upload: Unfinished
  problem: string
}) {
  return (
    <Stack gap={4} miw={0} flex={1}>
      <Text component="span" display="flex" miw={0}>
        <MiddleEllipsis text={filename} />
      </Text>
      <Progress
        value={(offset / size) * 100}
        size="sm"
        color="gray"
        aria-label={`Uploaded part of ${filename}`}
      />
      <Text size="xs" c="dimmed">
        {formatSize(offset)} of {formatSize(size)} on the host · kept until {formatDate(expires_at)}
      </Text>
      {problem && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </Stack>
  )
}
