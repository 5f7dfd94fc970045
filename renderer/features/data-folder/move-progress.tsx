import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import type { DataFolder } from '../../../server/contract'
import { formatSize, formatWhole } from '../../lib/texts/format'
import classes from './data.module.css'
import { timeLeft } from '../activity/host-words'

const stages = {
  move: {
    copying: 'Copying to',
    waiting: 'Copied. Slipway waits for uploads to end, then restarts in',
    switching: 'Slipway restarts in',
  },
  restore: {
    copying: 'Restoring into',
    waiting: 'Restored. Slipway waits for uploads to end, then restarts in',
    switching: 'Slipway restarts in',
  },
}

type Move = NonNullable<DataFolder['move']>

interface MoveProgressProps {
  move: Move
  /** Undefined: no signed-in person can cancel it. */
  onCancel?: () => void
  isCancelling?: boolean
}

export function MoveProgress({ move, onCancel, isCancelling = false }: MoveProgressProps) {
  const { kind, to, stage, bytes, total_bytes, files, total_files } = move
  const done = [
    `${formatSize(bytes)} of ${formatSize(total_bytes)}`,
    // A restore counts bytes only.
    kind === 'move' ? `${formatWhole(files)} of ${formatWhole(total_files)} files` : '',
    stage === 'copying' ? timeLeft({ bytes, size: total_bytes, speed: speedOf(move) }) : '',
  ]

  return (
    <Stack gap="xs" role="group" aria-label={kind === 'move' ? 'Move' : 'Restore'}>
      <Text fw={600}>{stages[kind][stage]}</Text>
      <Text className={classes.path}>{to}</Text>
      <Progress
        value={total_bytes === 0 ? 100 : (bytes / total_bytes) * 100}
        aria-label={`Progress of the ${kind}`}
        animated={stage !== 'copying'}
      />
      <Text c="dimmed">{done.filter((text) => text !== '').join(' · ')}</Text>
      {stage !== 'switching' && onCancel && (
        <Group>
          <Button variant="default" loading={isCancelling} onClick={onCancel}>
            Cancel {kind}
          </Button>
        </Group>
      )}
    </Stack>
  )
}

function speedOf({ bytes, started_at }: Move): number {
  const seconds = (Date.now() - Date.parse(started_at)) / 1000
  return seconds <= 0 ? 0 : bytes / seconds
}
