import { Button, List, Stack, Text } from '@mantine/core'
import { IconMailForward } from '@tabler/icons-react'
import { countNotices, listUnreminded } from '../../../server/texts/reminder-texts'
import { Loaded } from '../../ui/feedback/loaded'
import { TableSkeleton } from '../../ui/table/skeletons'
import { useReminder, useRemind } from './use-reminder'

interface RemindTestersProps {
  projectId: string
  below: string
}

/** Tells the people with an old version of the newest one, and says who cannot be told. */
export function RemindTesters({ projectId, below }: RemindTestersProps) {
  const plan = useReminder(projectId, below)
  const remind = useRemind(projectId, below)

  return (
    <Loaded
      query={plan}
      title="The testers to notify could not be loaded"
      skeleton={<TableSkeleton rows={1} />}
    >
      {(reminded) => (
        <Stack gap="xs" align="flex-start">
          <Button
            leftSection={<IconMailForward size={16} />}
            disabled={countNotices(reminded) === ''}
            loading={remind.isPending}
            onClick={() => remind.mutate(reminded)}
          >
            {countNotices(reminded) === '' ? 'Notify' : `Send ${countNotices(reminded)}`}
          </Button>
          <Unreminded lines={listUnreminded(reminded)} />
        </Stack>
      )}
    </Loaded>
  )
}

function Unreminded({ lines }: { lines: readonly string[] }) {
  if (lines.length === 0) return null
  return (
    <div>
      <Text size="sm" c="dimmed">
        Not notified:
      </Text>
      <List size="sm" c="dimmed" withPadding>
        {lines.map((line) => (
          <List.Item key={line} style={{ overflowWrap: 'anywhere' }}>
            {line}
          </List.Item>
        ))}
      </List>
    </div>
  )
}
