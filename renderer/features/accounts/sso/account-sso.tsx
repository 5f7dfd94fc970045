import { Button, Group, Stack, Text, Title } from '@mantine/core'
import type { LinkedIdentity } from '../../../../server/contract'
import { isAppWindow } from '../../../lib/browser/desktop'
import { queryKeys } from '../../../lib/client/query-keys'
import { useCall } from '../../../lib/client/use-call'
import { useHost } from '../../../lib/host/host'
import { confirm } from '../../../ui/dialog/confirm'
import { Loaded } from '../../../ui/feedback/loaded'
import { TableSkeleton } from '../../../ui/table/skeletons'
import { Time } from '../../../ui/text/time'
import { goToProvider } from './trip'
import { useIdentity } from './use-identity'

/** The account at the provider of single sign-on, where the host has one. */
export function AccountSso() {
  const { single_sign_on: provider } = useHost()
  const query = useIdentity()
  if (!provider) return null

  return (
    <Stack component="section" aria-labelledby="single-sign-on" gap="sm">
      <Title order={2} size="h3" id="single-sign-on">
        Single sign-on
      </Title>
      <Loaded
        query={query}
        title="Your link could not be loaded"
        skeleton={<TableSkeleton rows={1} />}
      >
        {({ identity, has_password }) =>
          identity ? (
            <Linked identity={identity} name={provider.name} hasPassword={has_password} />
          ) : (
            <NotLinked {...provider} />
          )
        }
      </Loaded>
    </Stack>
  )
}

interface LinkedProps {
  identity: LinkedIdentity
  name: string
  hasPassword: boolean
}

function Linked({ identity, name, hasPassword }: LinkedProps) {
  const unlink = useCall((client) => client.singleSignOn.unlink({}), {
    ask: () =>
      confirm({
        title: `Unlink ${name}`,
        message: `${name} no longer signs you in. You are signed out everywhere else.`,
        confirmLabel: 'Unlink',
        danger: true,
      }),
    done: `Unlinked ${name}`,
    failed: `Failed to unlink ${name}`,
    refresh: [queryKeys.identity, queryKeys.accountSessions],
  })

  return (
    <Group justify="space-between" gap="sm">
      <div>
        <Text fw={500} style={{ overflowWrap: 'anywhere' }}>
          {name}
          {identity.label !== null && ` · ${identity.label}`}
        </Text>
        <Text size="sm" c="dimmed">
          Linked <Time value={identity.created_at} inSentence />
          {' · '}
          {identity.last_used_at === null ? (
            'Not used yet'
          ) : (
            <>
              Last used <Time value={identity.last_used_at} inSentence />
            </>
          )}
        </Text>
        {!hasPassword && (
          <Text size="sm" c="dimmed">
            You have no password here. Set one to sign in while {name} is down.
          </Text>
        )}
      </div>
      <Button variant="default" loading={unlink.isPending} onClick={() => unlink.mutate()}>
        Unlink
      </Button>
    </Group>
  )
}

function NotLinked({ name, url }: { name: string; url: string }) {
  const link = useCall((client) => client.singleSignOn.link({}), {
    after: (_cache, { url: begun }) => goToProvider(begun, { purpose: 'link' }),
    failed: `Failed to reach ${name}`,
  })
  const { origin } = new URL(url)
  const isHere = origin === window.location.origin && !isAppWindow()

  return (
    <Group justify="space-between" gap="sm">
      <Text c="dimmed">
        {isHere
          ? `Sign in with your account at ${name} in place of a password.`
          : `Open ${origin}/account in a browser to link your account at ${name}.`}
      </Text>
      {isHere && (
        <Button
          variant="default"
          loading={link.isPending || link.isSuccess}
          onClick={() => link.mutate()}
        >
          Link {name}
        </Button>
      )}
    </Group>
  )
}
