import { Button, Group, Paper, Progress, Stack, Text } from '@mantine/core'
import { canPause, isUnfinished, type Upload } from '../upload'
import classes from './upload-list.module.css'
import type { UploadQueue } from '../queue/upload-queue'
import { UploadRow } from './upload-row'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { totalsOf, totalsText } from '../queue/upload-totals'

export function UploadList({
  uploads: all,
  queue,
}: {
  uploads: readonly Upload[]
  queue: UploadQueue
}) {
  // The sheet shows those that wait for a decision.
  const uploads = all.filter(({ isHeld }) => !isHeld)
  const visibleUploads = uploads.filter(({ retired }) => !retired)
  if (visibleUploads.length === 0) return null

  return (
    <Paper withBorder component="section" aria-label="Uploads">
      {uploads.length > 1 && <UploadTotalsBar uploads={uploads} queue={queue} />}
      <ul className={classes.list}>
        {visibleUploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
    </Paper>
  )
}

function UploadTotalsBar({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) {
  const { share, failed } = totalsOf(uploads)

  return (
    <div className={classes.totals}>
      <Stack gap={4} miw={0} flex="1 1 16rem">
        <Text fw={600}>
          {uploads.some(isUnfinished) || failed > 0 ? totalsText(uploads) : 'All uploaded'}
        </Text>
        <Progress
          value={Math.floor(share * 100)}
          size="sm"
          transitionDuration={200}
          aria-label="All uploads"
        />
      </Stack>
      <Group ml="auto">
        <PauseAll uploads={uploads} queue={queue} />
      </Group>
    </div>
  )
}

function PauseAll({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) {
  const running = uploads.filter(canPause)
  const paused = uploads.filter(({ state }) => state === 'paused')

  if (running.length > 0) {
    // From the last to the first, so that no other upload starts in between.
    const pauseAll = () => running.toReversed().forEach(({ id }) => queue.pause(id))
    return (
      <Button
        size="xs"
        variant="default"
        leftSection={<IconPlayerPause size={14} />}
        onClick={pauseAll}
      >
        Pause all
      </Button>
    )
  }
  if (paused.length === 0) return null

  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlayerPlay size={14} />}
      onClick={() => paused.forEach(({ id }) => queue.resume(id))}
    >
      Resume all
    </Button>
  )
}
