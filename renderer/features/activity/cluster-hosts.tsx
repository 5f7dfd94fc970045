import { Group, Stack, Text, Title } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import type { ClusterHost } from '../../../server/contract'
import { behindText, hostStateText, isSilent } from '../../../server/texts/host/cluster-texts'
import { Warning } from '../../ui/feedback/warning'
import { DataTable, type Column } from '../../ui/table/data-table'

const columns: readonly Column<ClusterHost>[] = [
  { header: 'Host', onPhone: 'title', cell: (host) => <HostName {...host} /> },
  { header: 'State', width: 260, cell: (host) => <HostState {...host} /> },
  { header: 'Version', width: 110, namedOnPhone: true, cell: ({ version }) => version },
  {
    header: 'Transfers',
    width: 110,
    align: 'right',
    namedOnPhone: true,
    cell: (host) => (isSilent(host) ? '–' : host.transfers),
  },
]

/** The hosts of a cluster. */
export function ClusterHosts({ hosts }: { hosts: readonly ClusterHost[] }) {
  return (
    <Stack component="section" aria-labelledby="hosts" gap="sm">
      <Title order={2} size="h3" id="hosts">
        Hosts
      </Title>
      <Text c="dimmed">
        The primary makes every change. Hosts that read answer visitors, too: their transfers are
        counted here, but not listed below.
      </Text>
      {hosts.length === 0 ? (
        <Warning title="The database does not answer">
          The hosts appear here again when it does.
        </Warning>
      ) : (
        <DataTable label="Hosts" rows={hosts} rowKey={({ name }) => name} columns={columns} />
      )}
    </Stack>
  )
}

function HostName({ name, address }: ClusterHost) {
  return (
    <Stack gap={0}>
      <Text component="bdi" style={{ overflowWrap: 'anywhere' }}>
        {name}
      </Text>
      {address !== null && (
        <Text component="bdi" size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {address}
        </Text>
      )}
    </Stack>
  )
}

function HostState(host: ClusterHost) {
  return (
    <Group gap={6} wrap="nowrap">
      {isSilent(host) && (
        <IconAlertTriangle
          size={16}
          color="var(--mantine-color-orange-light-color)"
          style={{ flex: 'none' }}
          aria-hidden
        />
      )}
      {[hostStateText(host), ...(isSilent(host) ? [] : [behindText(host)])]
        .filter((it) => it !== '')
        .join(', ')}
    </Group>
  )
}
