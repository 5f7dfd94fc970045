import { Button, Progress, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { isAppWindow, restoreBackup, restoreState } from '../../lib/browser/desktop'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { useLoad } from '../../lib/client/use-load'
import { formatSize } from '../../lib/texts/format'
import { Warning } from '../../ui/feedback/warning'
import { Disclosure } from '../../ui/layout/disclosure'
import { CodeBlock } from '../../ui/text/code-block'

const LOOK_EVERY_MS = 1000

/** Sets up a new host by `children`, or continues with a backup. */
export const StartFromBackup = ({ children }: { children: ReactNode }) =>
  isAppWindow() ? (
    <RestoreInApp>{children}</RestoreInApp>
  ) : (
    <Stack gap="md">
      {children}
      <RestoreByCommand />
    </Stack>
  )

function RestoreInApp({ children }: { children: ReactNode }) {
  const { data } = useLoad(queryKeys.restore, () => restoreState(), {
    refetchInterval: ({ state }) => (state.data?.move ? LOOK_EVERY_MS : false),
  })
  const restoring = useCall(() => restoreBackup(), {
    failed: 'Failed to restore the backup',
    refresh: [queryKeys.restore],
  })
  if (data?.move) return <RestoreProgress {...data.move} />

  return (
    <Stack gap="md">
      {children}
      {data?.failure != null && <Warning title="Nothing was restored">{data.failure}</Warning>}
      <Button variant="default" loading={restoring.isPending} onClick={() => restoring.mutate()}>
        Start from a backup…
      </Button>
    </Stack>
  )
}

interface RestoreProgressProps {
  to: string
  bytes: number
  total_bytes: number
}

const RestoreProgress = ({ to, bytes, total_bytes }: RestoreProgressProps) => (
  <Stack gap="xs" role="group" aria-label="Restore">
    <Text fw={600}>Restoring the backup</Text>
    <Progress
      value={total_bytes === 0 ? 100 : (bytes / total_bytes) * 100}
      aria-label="Progress of the restore"
    />
    <Text c="dimmed">
      {formatSize(bytes)} of {formatSize(total_bytes)}. Slipway restarts by itself. Then sign in
      with an account of the backup.
    </Text>
    <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {to}
    </Text>
  </Stack>
)

/** A host without a window: its data folder is chosen at its start. */
const RestoreByCommand = () => (
  <Disclosure label="Start from a backup">
    <Stack gap="xs">
      <Text>Stop Slipway. Restore the backup into a new folder, and start with that:</Text>
      <CodeBlock
        label="Start from a backup"
        code={
          'slipway restore /mnt/backup/slipway --data /new/folder\n' +
          'slipway serve --data /new/folder'
        }
      />
    </Stack>
  </Disclosure>
)
