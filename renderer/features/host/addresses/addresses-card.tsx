import { Badge, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { HostAddress } from '../../../../server/contract'
import { hostMessages } from '../../../lib/words/host-messages'
import { CopyButton } from '../../../ui/text/copy-button'
import { DataTable, type Column } from '../../../ui/table/data-table'
import { LoadError } from '../../../ui/feedback/load-error'
import { ShowQrCode } from '../../../ui/dialog/show-qr-code'
import classes from './addresses.module.css'
import { useAddresses } from './use-addresses'

export function AddressesCard() {
  const { data, error, refetch, testAgain, isTesting } = useAddresses()
  const best = data?.find(({ offered }) => offered)
  return (
    <Card component="section" aria-labelledby="addresses">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3" id="addresses">
          Addresses
        </Title>
        {data && (
          <Button size="xs" variant="default" loading={isTesting} onClick={testAgain}>
            Test again
          </Button>
        )}
      </Group>
      {data && (
        <Stack gap="lg">
          {best ? <BestAddress address={best} /> : <NoAddress />}
          <AddressTable addresses={data.filter((address) => address !== best)} />
        </Stack>
      )}
      {!data && !error && <Skeleton h={120} role="status" aria-label="Loading" />}
      {!data && error && (
        <LoadError title="The addresses could not be loaded" error={error} onRetry={() => void refetch()} />
      )}
    </Card>
  )
}

function BestAddress({ address: { url, kind, test } }: { address: HostAddress }) {
  return (
    <Stack gap="xs">
      <p className={classes.large} aria-label="Best address">
        {url}
      </p>
      <Group gap="xs">
        <TestBadge test={test} />
        <Text c="dimmed">{hostMessages.host.audience[kind]}</Text>
      </Group>
      <Group gap="xs">
        <CopyButton value={url} label="Copy address" />
        <ShowQrCode value={url} name="slipway" />
      </Group>
    </Stack>
  )
}

function NoAddress() {
  return (
    <Text c="dimmed">Other devices cannot reach this host now. Share it, or connect this computer to a network.</Text>
  )
}

function AddressTable({ addresses }: { addresses: readonly HostAddress[] }) {
  if (addresses.length === 0) return null
  const columns: Column<HostAddress>[] = [
    {
      header: 'Address',
      onPhone: 'title',
      cell: ({ url }) => <span className={classes.address}>{url}</span>,
    },
    { header: 'Works for', onPhone: 'title', cell: ({ kind }) => hostMessages.host.audience[kind] },
    { header: 'Test', width: 190, cell: ({ test }) => <TestBadge test={test} /> },
    {
      header: 'Copy',
      hideHeader: true,
      align: 'right',
      width: 60,
      onPhone: 'action',
      cell: ({ url }) => <CopyButton value={url} label={`Copy ${url}`} look="icon" />,
    },
  ]
  return <DataTable label="Other addresses" rows={addresses} rowKey={({ url }) => url} columns={columns} />
}

const colors = { ok: 'green', unanswered: 'orange', other_program: 'red', proved: 'green', untested: 'gray' } as const

function TestBadge({ test }: { test: HostAddress['test'] }) {
  return <Badge color={colors[test]}>{hostMessages.host.test[test]}</Badge>
}
