import { Stack, Text } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import type { Project, RetainedChannel } from '../../../server/contract'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { queryKeys } from '../../lib/client/query-keys'
import { useLoad } from '../../lib/client/use-load'
import { formatSize, formatWhole } from '../../lib/texts/format'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'
import { Loaded } from '../../ui/feedback/loaded'
import { ACTIONS, DataTable } from '../../ui/table/data-table'
import { RowAction } from '../../ui/table/row-action'

const RetentionDialog = lazyPage(() => import('./retention-dialog'), 'RetentionDialog')

/** How many releases each channel of a project keeps. */
export function RetentionSection({ project: { project_id: projectId } }: { project: Project }) {
  const channels = useLoad(
    [...queryKeys.projects.all, 'retention', projectId],
    async (client, signal) => (await client.retention.list({ id: projectId }, signal)).channels,
  )
  const [chosen, choose] = useState<RetainedChannel>()
  const dialog = useLateDialog()

  const open = (row: RetainedChannel) => {
    choose(row)
    dialog.open()
  }

  return (
    <Stack gap="md">
      <Text c="dimmed">
        A channel keeps all of its releases, or only the last ones. Older releases then move to the
        trash automatically.
      </Text>
      <Loaded query={channels} title="The channels could not be loaded" skeleton={null}>
        {(rows) =>
          rows.length === 0 ? (
            <Text>This project has no published releases yet.</Text>
          ) : (
            <Channels rows={rows} onChange={open} />
          )
        }
      </Loaded>
      {chosen && (
        <AfterFirstView isNeeded={dialog.isNeeded}>
          <RetentionDialog
            key={`${chosen.channel} ${chosen.keep}`}
            projectId={projectId}
            channel={chosen}
            isOpen={dialog.isOpen}
            onClose={dialog.close}
          />
        </AfterFirstView>
      )}
    </Stack>
  )
}

function Channels({
  rows,
  onChange,
}: {
  rows: RetainedChannel[]
  onChange: (row: RetainedChannel) => void
}) {
  return (
    <DataTable
      label="Channels"
      rows={rows}
      rowKey={({ channel }) => channel}
      columns={[
        {
          header: 'Channel',
          onPhone: 'title',
          cell: ({ channel }) => <Text fw={600}>{channel}</Text>,
        },
        { header: 'Releases', width: 200, namedOnPhone: true, cell: Amount },
        {
          header: 'Keeps',
          width: 170,
          namedOnPhone: true,
          cell: ({ keep }) => (keep === null ? 'All' : `The last ${keep}`),
        },
        {
          ...ACTIONS,
          width: 70,
          cell: (row) => (
            <RowAction
              icon={IconPencil}
              verb="Change"
              what={row.channel}
              onClick={() => onChange(row)}
            />
          ),
        },
      ]}
    />
  )
}

const Amount = ({ releases, size }: RetainedChannel) =>
  `${formatWhole(releases)} · ${formatSize(size)}`
