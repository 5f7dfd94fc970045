import { Progress, SimpleGrid, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleDashed, IconCloudCheck } from '@tabler/icons-react'
import type { ComponentProps, RefObject } from 'react'
import type { BucketView } from '../../../server/contract'
import { formatQuantity, formatSize, formatWhole } from '../../lib/texts/format'
import { Stat } from '../../ui/chart/stat'
import { StatusLine } from '../../ui/feedback/status-line'
import { WarningList } from '../../ui/feedback/warning-list'
import { FileName } from '../../ui/file/file-name'
import { Time } from '../../ui/text/time'
import { BucketActions } from './bucket-actions'
import { problemOf, stateLine, troubleText } from './bucket-words'

interface BucketStateProps {
  view: BucketView
  status: RefObject<HTMLParagraphElement | null>
}

export function BucketState({ view, status }: BucketStateProps) {
  const { state, troubled } = view
  const problem = state === 'off' ? undefined : problemOf(view)

  return (
    <>
      <StatusLine ref={status} line={stateLine(view)} mark={markOf(view)}>
        {problem &&
          `${state === 'switching_off' ? problem.line : problem.effect} ${problem.advice}`}
      </StatusLine>
      {hasProgress(view) && <Copies view={view} />}
      {troubled.length > 0 && (
        <WarningList
          warnings={troubled.map((file) => ({ code: file.file_id, message: troubleText(file) }))}
        />
      )}
      {state !== 'off' && <Figures view={view} />}
      {state !== 'off' && <BucketActions view={view} onDone={() => status.current?.focus()} />}
    </>
  )
}

const hasProgress = ({ state, copies: { there, wanted: total } }: BucketView) =>
  state === 'switching_off' || (state !== 'off' && there < total)

function markOf({ state, problem }: BucketView): ComponentProps<typeof StatusLine>['mark'] {
  if (state === 'off') return { Picture: IconCircleDashed, tone: 'quiet' }
  if (problem !== null) return { Picture: IconAlertTriangle, tone: 'warn' }
  return state === 'complete' ? { Picture: IconCloudCheck, tone: 'good' } : 'busy'
}

/** How far all copies are, and each that is running. */
function Copies({ view: { copies, running, state } }: { view: BucketView }) {
  const { wanted: total, there, wanted_bytes: bytes, there_bytes: done } = copies
  if (state === 'switching_off')
    return (
      <Text c="dimmed">
        {formatQuantity(there + copies.revoking, 'copy', 'copies')} left to delete.
      </Text>
    )
  const sent = running.reduce((sum, copy) => sum + copy.sent, done)

  return (
    <Stack gap="sm">
      <Stack gap={4}>
        <Progress
          value={bytes === 0 ? 0 : (sent / bytes) * 100}
          aria-label="Progress of all copies"
        />
        <Text c="dimmed">
          {formatWhole(there)} of {formatWhole(total)} · {formatSize(sent)} of {formatSize(bytes)}
        </Text>
      </Stack>
      {running.map(({ file_id, filename, size, sent: part }) => (
        <Stack key={file_id} gap={4}>
          <FileName filename={filename} />
          <Progress size="sm" value={(part / size) * 100} aria-label={`Copy of ${filename}`} />
          <Text size="xs" c="dimmed">
            {formatSize(part)} of {formatSize(size)}
          </Text>
        </Stack>
      ))}
    </Stack>
  )
}

function Figures({ view: { month, check } }: { view: BucketView }) {
  const { last, running } = check

  return (
    <Stack gap="xs">
      <SimpleGrid component="dl" cols={{ base: 1, xs: 3 }} spacing="sm" m={0}>
        <Stat label="Copied this month" value={formatSize(month.copied_bytes)} />
        <Stat
          label="Handed to the bucket"
          value={formatSize(month.redirected_bytes)}
          note={`${formatQuantity(month.redirects, 'download')} this month`}
        />
        <Stat
          label="Last check"
          value={last === null ? 'None yet' : <Time value={last.at} />}
          note={
            running
              ? `${formatWhole(running.done)} of ${formatWhole(running.total)} checked`
              : last
                ? checkText(last)
                : undefined
          }
        />
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        A download counts when it is handed to the bucket, even if the visitor stops it.
      </Text>
    </Stack>
  )
}

function checkText({
  checked,
  missing,
  altered,
}: NonNullable<BucketView['check']['last']>): string {
  const wrong = [missing > 0 && `${missing} missing`, altered > 0 && `${altered} altered`].filter(
    (text) => text !== false,
  )
  return wrong.length === 0
    ? `${formatQuantity(checked, 'copy', 'copies')}, all in order`
    : `${wrong.join(', ')}: copied again`
}
