import { Button, Stack, Text, Title } from '@mantine/core'
import { useNavigate } from 'react-router-dom'
import type { ManageSession } from '../../../server/contract'
import { formatExactTime } from '../../lib/texts/format'
import { DataTable, type Column } from '../../ui/table/data-table'
import { Time } from '../../ui/text/time'
import { browserName } from '../../../server/texts/host/browser-name'
import { useLoad } from '../../lib/client/use-load'
import { isMissing } from '../../lib/client/failure'
import { refresh } from '../../lib/client/query-client'
import { useCall } from '../../lib/client/use-call'
import { queryKeys } from '../../lib/client/query-keys'
import { paths } from '../../paths'

export function ManageSessions() {
  const { data = [] } = useManageSessions()
  const ending = useEndManaging()
  if (data.length === 0) return null

  const columns: readonly Column<ManageSession>[] = [
    {
      header: 'Browser',
      onPhone: 'title',
      cell: ({ browser, current }) => `${browserName(browser)}${current ? ' (this one)' : ''}`,
    },
    { header: 'Address', width: 200, cell: ({ address }) => address },
    { header: 'Since', width: 150, cell: ({ since }) => <Time value={since} /> },
    { header: 'Until', width: 200, cell: ({ until }) => formatExactTime(until) },
    {
      header: 'End',
      hideHeader: true,
      width: 90,
      align: 'right',
      cell: (it) => (
        <Button
          variant="default"
          size="xs"
          aria-label={`End managing from ${it.address}`}
          loading={ending.isPending && ending.variables.manage_id === it.manage_id}
          onClick={() => ending.mutate(it)}
        >
          End
        </Button>
      ),
    },
  ]

  return (
    <Stack component="section" aria-labelledby="managing" gap="sm">
      <Title order={2} size="h3" id="managing">
        Browsers that manage this host
      </Title>
      <Text c="dimmed">
        Each opened a link of “slipway manage”. Access ends when the browser logs out, or at the
        time shown.
      </Text>
      <DataTable
        label="Browsers that manage this host"
        rows={data}
        rowKey={({ manage_id }) => manage_id}
        columns={columns}
      />
    </Stack>
  )
}

const useManageSessions = () =>
  useLoad(
    queryKeys.manageSessions,
    async (client, signal) => (await client.manage.list({}, signal)).sessions,
    { refetchInterval: 60_000 },
  )

/**
 * Ends a session. One that just ended by itself is no failure; ending the own one leaves the host
 * pages.
 */
function useEndManaging() {
  const navigate = useNavigate()

  return useCall((client, { manage_id: id }: ManageSession) => client.manage.end({ id }), {
    after: async (cache, _reply, { current }) => {
      if (!current) return
      await navigate(paths.dashboard)
      await refresh(cache, queryKeys.session)
    },
    failed: (_session, cause) =>
      isMissing(cause) ? undefined : 'Failed to end access for that browser',
    refresh: [queryKeys.manageSessions],
  })
}
