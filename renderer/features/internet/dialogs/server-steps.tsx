import { Alert, Stack, Text } from '@mantine/core'
import { IconAlertOctagon } from '@tabler/icons-react'
import type { InternetView } from '../../../../server/contract'
import { SSHD_SETTINGS } from '../../../../server/contract/host/internet'
import { CodeBlock } from '../../../ui/text/code-block'
import classes from '../internet.module.css'

/** The line that lets this computer forward one port, and nothing else. */
export function KeyLine({ user, line }: { user: string; line: string }) {
  const home = user === 'root' ? '/root' : `/home/${user === '' ? 'USER' : user}`

  return (
    <Stack gap={4}>
      <Text>
        Add this line to <code>{home}/.ssh/authorized_keys</code> on the server:
      </Text>
      <CodeBlock label="Line for authorized_keys" code={line} />
      <Text size="xs" c="dimmed">
        The key stays on this computer. It can forward this port and nothing else.
      </Text>
    </Stack>
  )
}

export function ServerSettings() {
  return (
    <Stack gap={4}>
      <Text>
        Set this in <code>/etc/ssh/sshd_config</code> on the server, then restart its SSH server:
      </Text>
      <CodeBlock label="Settings of the SSH server" code={SSHD_SETTINGS.join('\n')} />
    </Stack>
  )
}

interface FingerprintProps {
  tunnel: NonNullable<InternetView['tunnel']>
  /** The key that was confirmed before, or null if there is none. */
  confirmed: string | null
}

/** Shows the server's key fingerprint to compare with the server's own output. */
export function Fingerprint({
  tunnel: { server, problem, fingerprint },
  confirmed,
}: FingerprintProps) {
  const hasChanged = problem === 'fingerprint_changed'

  return (
    <Stack gap="md">
      {hasChanged && (
        <Alert
          color="red"
          variant="light"
          icon={<IconAlertOctagon />}
          title={`The key of ${server} changed`}
        >
          Someone may intercept the connection. Continue only if you know why the key changed, for
          example because the server was reinstalled.
        </Alert>
      )}
      {hasChanged && confirmed !== null && (
        <Digest label="Key that you confirmed" value={confirmed} />
      )}
      <Digest label={`Key of ${server} now`} value={fingerprint ?? 'Not received'} />
      <Stack gap={4}>
        <Text>Run this on the server. One of its lines must show the same fingerprint:</Text>
        <CodeBlock
          label="Command to compare"
          code="for key in /etc/ssh/ssh_host_*.pub; do ssh-keygen -lf $key; done"
        />
      </Stack>
    </Stack>
  )
}

function Digest({ label, value }: { label: string; value: string }) {
  return (
    <div role="group" aria-label={label}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <div className={classes.value}>{value}</div>
    </div>
  )
}
