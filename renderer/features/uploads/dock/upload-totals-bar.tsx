import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { canPause, isUnfinished, type Upload } from '../upload'
import classes from './upload-list.module.css'
import type { UploadQueue } from '../queue/upload-queue'
import { totalsOf, totalsText } from '../queue/upload-totals'

export function UploadTotalsBar({
  uploads,
  queue,
}: {
  uploads: readonly Upload[]
  queue: UploadQueue
}) {
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
