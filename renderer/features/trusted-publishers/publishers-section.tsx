import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { Project, TrustedPublisher } from '../../../server/contract'
import { PUBLISHERS_MAX } from '../../../server/contract/limits'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'
import { Loaded } from '../../ui/feedback/loaded'
import { Warning } from '../../ui/feedback/warning'
import { ACTIONS, DataTable, type Column } from '../../ui/table/data-table'
import { RowAction } from '../../ui/table/row-action'
import { Time } from '../../ui/text/time'
import { usePublishers, useRemovePublisher } from './use-publishers'

const PublisherDialog = lazyPage(() => import('./publisher-dialog'), 'PublisherDialog')

/** The repositories whose CI jobs may upload to a project without a stored key. */
export function PublishersSection({ project: { project_id: projectId } }: { project: Project }) {
  const publishers = usePublishers(projectId)
  const remove = useRemovePublisher(projectId)
  const dialog = useLateDialog()
  const isFull = (publishers.data?.publishers.length ?? 0) >= PUBLISHERS_MAX

  return (
    <Stack gap="md">
      <Group justify="space-between" gap="md">
        <Text c="dimmed" flex="1 1 16rem">
          Let CI jobs of a repository upload without a stored key.{' '}
          <Anchor href="/guide/ci#without-a-stored-key">How jobs do it</Anchor>
        </Text>
        <Button
          leftSection={<IconPlus size={16} />}
          variant="default"
          disabled={isFull}
          onClick={dialog.open}
        >
          Add trusted publisher
        </Button>
      </Group>
      <Loaded query={publishers} title="The trusted publishers could not be loaded" skeleton={null}>
        {({ publishers: list, audience }) =>
          list.length > 0 && (
            <>
              {audience === null && (
                <Warning title="This host has no public address">
                  Jobs get no keys until the host account sets it under Settings.
                </Warning>
              )}
              <PublishersTable publishers={list} onRemove={remove} />
            </>
          )
        }
      </Loaded>
      <AfterFirstView isNeeded={dialog.isNeeded}>
        <PublisherDialog projectId={projectId} isOpen={dialog.isOpen} onClose={dialog.close} />
      </AfterFirstView>
    </Stack>
  )
}

interface PublishersTableProps {
  publishers: readonly TrustedPublisher[]
  onRemove: (publisher: TrustedPublisher) => void
}

function PublishersTable({ publishers, onRemove }: PublishersTableProps) {
  const columns: Column<TrustedPublisher>[] = [
    { header: 'Repository', onPhone: 'title', cell: Repository },
    { header: 'Last used', width: 160, cell: LastUsed },
    {
      ...ACTIONS,
      width: 60,
      onPhone: 'detail',
      cell: (publisher) => (
        <RowAction
          icon={IconTrash}
          verb="Remove"
          what={publisher.repository}
          onClick={() => onRemove(publisher)}
        />
      ),
    },
  ]

  return (
    <DataTable
      label="Trusted publishers"
      rows={publishers}
      rowKey={({ publisher_id }) => publisher_id}
      columns={columns}
    />
  )
}

function Repository({ repository, issuer, branch, tag, environment }: TrustedPublisher) {
  const rules = [
    branch === null ? [] : `branch ${branch}`,
    tag === null ? [] : `tag ${tag}`,
    environment === null ? [] : `environment ${environment}`,
  ]
  const rest = [...rules.flat(), new URL(issuer).host].join(' · ')

  return (
    <div style={{ minWidth: 0 }}>
      <Text component="bdi" fw={600} truncate display="block" title={repository}>
        {repository}
      </Text>
      <Text size="sm" c="dimmed" truncate title={rest}>
        {rest}
      </Text>
    </div>
  )
}

const LastUsed = ({ last_used }: TrustedPublisher) =>
  last_used === null ? <Text c="dimmed">Never</Text> : <Time value={last_used} />
