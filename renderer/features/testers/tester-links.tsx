import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconUserPlus, IconUsersGroup } from '@tabler/icons-react'
import { useState } from 'react'
import type { Project } from '../../../server/contract'
import { messages } from '../../lib/texts/messages'
import { EmptyState } from '../../ui/feedback/empty-state'
import { LoadError } from '../../ui/feedback/load-error'
import { TableSkeleton } from '../../ui/table/skeletons'
import { TesterDialog, type Shown } from './tester-dialog'
import { TestersTable } from './testers-table'
import { useRevokeTester, useTesters } from './use-testers'

export function TesterLinks({ project }: { project: Project }) {
  const { data: testers, error, refetch } = useTesters(project.project_id)
  const revoke = useRevokeTester(project.project_id)
  const [shown, setShown] = useState<Shown>({})
  const [isOpen, setOpen] = useState(false)
  const open = (next: Shown) => {
    setShown(next)
    setOpen(true)
  }
  const create = (
    <Button leftSection={<IconUserPlus size={16} />} onClick={() => open({})}>
      Create tester link
    </Button>
  )
  return (
    <Stack component="section" gap="md" aria-labelledby="tester-links">
      <Group justify="space-between" gap="md">
        <Stack gap={4} flex="1 1 16rem">
          <Title order={2} size="h3" id="tester-links">
            Tester links
          </Title>
          <Text c="dimmed">{messages.tester.about}</Text>
        </Stack>
        {testers && testers.length > 0 && create}
      </Group>
      {!testers && !error && <TableSkeleton rows={2} />}
      {!testers && error && (
        <LoadError title={messages.tester.loadFailed} error={error} onRetry={() => void refetch()} />
      )}
      {testers?.length === 0 && (
        <EmptyState icon={IconUsersGroup} title="No tester links yet" text={messages.tester.none} action={create} />
      )}
      {testers && testers.length > 0 && (
        <TestersTable
          testers={testers}
          onEdit={(saved) => open({ saved })}
          onRevoke={(tester) => void revoke(tester)}
        />
      )}
      <TesterDialog
        project={project}
        isOpen={isOpen}
        shown={shown}
        onCreated={(path) => setShown({ path })}
        onClose={() => setOpen(false)}
      />
    </Stack>
  )
}
