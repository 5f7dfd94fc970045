import { Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Firewall } from '../../../server/contract'
import { queryKeys } from '../../lib/client/query-keys'
import { CodeBlock } from '../../ui/text/code-block'
import { PhoneLink, PhoneWorks, usePhoneLink } from './phone-link'
import { useAddresses } from './use-addresses'

/** No event reports a visit. */
const LOOK_EVERY_MS = 2000

/** Shows whether another device of the network reaches this host, and what to do if not. */
export function DeviceTest({ onClose }: { onClose: () => void }) {
  const link = usePhoneLink(queryKeys.deviceTest, (client) => client.host.phoneTest({}))
  const works = useDeviceVisit(link.data?.url)

  return (
    <Modal opened onClose={onClose} title="Test with a phone" size="md" returnFocus={false}>
      {works ? (
        <PhoneWorks onClose={onClose}>
          Another device reached this host. Links work in this network.
        </PhoneWorks>
      ) : (
        <PhoneLink
          link={link}
          steps={[
            'Connect your phone to the Wi-Fi of this network.',
            'Scan the code with its camera, and open the link.',
          ]}
        >
          {link.data && <FirewallHelp firewall={link.data.firewall} port={portOf(link.data.url)} />}
        </PhoneLink>
      )}
    </Modal>
  )
}

function FirewallHelp({ firewall, port }: { firewall: Firewall; port: number }) {
  const { text, commands } = firewallSteps[firewall]

  return (
    <Stack gap={4} component="section" aria-label="If the page does not load">
      <Text fw={600}>If the page does not load</Text>
      <Text>
        A firewall on this computer probably blocks port {port}. {text}
      </Text>
      {commands && <CodeBlock label="Command for the firewall" code={commands(port).join('\n')} />}
      <Text size="xs" c="dimmed">
        A guest Wi-Fi often keeps devices apart. Then use another network.
      </Text>
    </Stack>
  )
}

const portOf = (url: string) => Number(new URL(url).port || 80)

/** Whether another device has used the address of the link since the dialog opened. */
function useDeviceVisit(url: string | undefined): boolean {
  const { data } = useAddresses(LOOK_EVERY_MS)
  const host = url === undefined ? undefined : new URL(url).hostname
  const last = data?.find((address) => new URL(address.url).hostname === host)?.last_visit
  const [before, setBefore] = useState<string | null>()
  if (before === undefined && last !== undefined) setBefore(last)
  return before !== undefined && last !== undefined && last !== before
}

interface Steps {
  /** The instruction, or where to run the command. */
  text: string
  /** Terminal commands, in the order to run them. */
  commands?: (port: number) => readonly string[]
}

/** How to let other devices through the firewall of a system. */
const firewallSteps: Record<Firewall, Steps> = {
  // A block rule, which Windows makes if a person cancels its question, wins over every rule that
  // allows.
  windows: {
    text:
      'In Windows Security, open Firewall & network protection, Allow an app through ' +
      'firewall, and tick Slipway for private networks. In Settings, set this network to ' +
      'Private. Without Slipway in that list, run this as administrator:',
    commands: (port) => [
      'netsh advfirewall firewall add rule name="Slipway" dir=in action=allow protocol=TCP ' +
        `localport=${port} profile=private`,
    ],
  },
  macos: {
    text:
      'In System Settings, open Network, Firewall, Options, turn off “Block all incoming ' +
      'connections”, and allow incoming connections for Slipway. For the headless host, allow ' +
      'node.',
  },
  ufw: {
    text: 'Run this in a terminal:',
    commands: (port) => [`sudo ufw allow ${port}/tcp comment Slipway`],
  },
  firewalld: {
    text: 'Run these in a terminal:',
    commands: (port) => [
      `sudo firewall-cmd --permanent --add-port=${port}/tcp`,
      // A reload would drop what other programs added without --permanent.
      `sudo firewall-cmd --add-port=${port}/tcp`,
    ],
  },
  nftables: {
    text:
      'With nftables, run this in a terminal, and add the rule to /etc/nftables.conf to keep ' +
      'it. “sudo nft list ruleset” shows the names of your table and chain:',
    commands: (port) => [`sudo nft insert rule inet filter input tcp dport ${port} accept`],
  },
}
