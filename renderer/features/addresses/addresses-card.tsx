import { Badge, Button, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useRef, useState } from 'react'
import type { HostAddress } from '../../../server/contract'
import { lazyPage } from '../../lib/browser/lazy-page'
import { CopyButton } from '../../ui/text/copy-button'
import { DataTable, type Column } from '../../ui/table/data-table'
import { Loaded } from '../../ui/feedback/loaded'
import { Lazily } from '../../ui/feedback/lazily'
import { ShowQrCode } from '../../ui/dialog/show-qr-code'
import { Time } from '../../ui/text/time'
import classes from './addresses.module.css'
import { useAddresses } from './use-addresses'
import { audiences } from '../host-settings/texts'

const DeviceTest = lazyPage(() => import('./device-test'), 'DeviceTest')

export function AddressesCard() {
  const { testAgain, isTesting, ...addresses } = useAddresses()

  const { data } = addresses
  const best = data?.find(({ offered }) => offered)

  return (
    <Card component="section" aria-labelledby="addresses">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3" id="addresses">
          Addresses
        </Title>
        {data && (
          <Group gap="xs">
            {data.some(isAtHome) && <TestWithPhone />}
            <Button size="xs" variant="default" loading={isTesting} onClick={testAgain}>
              Test again
            </Button>
          </Group>
        )}
      </Group>
      <Loaded
        query={addresses}
        title="The addresses could not be loaded"
        skeleton={<Skeleton h={120} role="status" aria-label="Loading" />}
      >
        {(all) => (
          <Stack gap="lg">
            {best ? <BestAddress address={best} /> : <NoAddress />}
            <AddressTable addresses={all.filter((address) => address !== best)} />
          </Stack>
        )}
      </Loaded>
    </Card>
  )
}

function BestAddress({ address }: { address: HostAddress }) {
  const { url, kind } = address

  return (
    <Stack gap="xs">
      <p className={classes.large} aria-label="Best address">
        {url}
      </p>
      <Group gap="xs">
        <TestBadge address={address} />
        <Text c="dimmed">{audiences[kind]}</Text>
      </Group>
      <LastVisit address={address} />
      {address.test === 'ok' && isAtHome(address) && (
        <Text size="xs" c="dimmed">
          No other device has opened this address in the last 7 days. Test it with a phone: a
          firewall may block it.
        </Text>
      )}
      <Group gap="xs">
        <CopyButton value={url} label="Copy address" />
        <ShowQrCode value={url} name="slipway" />
      </Group>
    </Stack>
  )
}

function NoAddress() {
  return (
    <Text c="dimmed">
      Other devices cannot reach this host now. Share it, or connect this computer to a network.
    </Text>
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
    { header: 'Works for', onPhone: 'title', cell: ({ kind }) => audiences[kind] },
    {
      header: 'Test',
      width: 240,
      cell: (address) => (
        <>
          <TestBadge address={address} />
          <LastVisit address={address} />
        </>
      ),
    },
    {
      header: 'Copy',
      hideHeader: true,
      align: 'right',
      width: 60,
      onPhone: 'action',
      cell: ({ url }) => <CopyButton value={url} label={`Copy ${url}`} look="icon" />,
    },
  ]

  return (
    <DataTable
      label="Other addresses"
      rows={addresses}
      rowKey={({ url }) => url}
      columns={columns}
    />
  )
}

/** Whether the address belongs to a network of this computer and may be in links. */
const isAtHome = ({ kind, offered }: HostAddress) =>
  offered && (kind === 'wifi' || kind === 'network')

function TestWithPhone() {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)

  const close = () => {
    setIsOpen(false)
    button.current?.focus()
  }

  return (
    <>
      <Button
        ref={button}
        size="xs"
        variant="default"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        Test with a phone
      </Button>
      {isOpen && (
        <Lazily instead={<Text role="alert">This part could not be loaded. Reload the page.</Text>}>
          <DeviceTest onClose={close} />
        </Lazily>
      )}
    </>
  )
}

/** When another device came, if one did within 7 days. */
function LastVisit({ address: { last_visit: at } }: { address: HostAddress }) {
  if (at === null) return null
  return (
    <Text size="xs" c="dimmed">
      Last opened by another device <Time value={at} inSentence />
    </Text>
  )
}

const results = {
  ok: { text: 'This computer answers', color: 'gray' },
  visited: { text: 'Works', color: 'green' },
  unanswered: { text: 'No answer', color: 'orange' },
  other_program: { text: 'Another program answers', color: 'red' },
  proved: { text: 'Works from outside', color: 'green' },
  untested: { text: 'Not tested from outside', color: 'gray' },
} as const

function TestBadge({ address: { kind, test } }: { address: HostAddress }) {
  // No firewall is between this computer and itself.
  const { text, color } = results[kind === 'loopback' && test === 'ok' ? 'visited' : test]
  return <Badge color={color}>{text}</Badge>
}
