import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import type { AccountSession, ProvedBy } from '../../../server/contract'
import { isMissing } from '../../lib/client/failure'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { useLoad } from '../../lib/client/use-load'
import { browserName } from '../../../server/texts/host/browser-name'
import { confirm } from '../../ui/dialog/confirm'
import { Loaded } from '../../ui/feedback/loaded'
import { DataTable, type Column } from '../../ui/table/data-table'
import { RowButton } from '../../ui/table/row-action'
import { TableSkeleton } from '../../ui/table/skeletons'
import { Time } from '../../ui/text/time'

/** The browsers in which the account is signed in. Each but this one can be signed out. */
export function AccountSessions() {
  const query = useLoad(
    queryKeys.accountSessions,
    async (client, signal) => (await client.accounts.sessions({}, signal)).sessions,
  )
  const { end, endOthers } = useSessionEnds()
  const hasOthers = (query.data?.length ?? 0) > 1

  const columns: readonly Column<AccountSession>[] = [
    { header: 'Browser', onPhone: 'title', cell: (session) => <Browser session={session} /> },
    {
      header: 'Address',
      width: 220,
      namedOnPhone: true,
      cell: ({ address }) => address ?? 'Not known',
    },
    {
      header: 'Signed in',
      width: 160,
      namedOnPhone: true,
      cell: ({ created_at, proved_by, provider }) => (
        <>
          <Time value={created_at} />
          {proved_by && (
            <Text size="xs" c="dimmed">
              {provider === null ? proofWords[proved_by] : withProvider(provider, proved_by)}
            </Text>
          )}
        </>
      ),
    },
    {
      header: 'Last used',
      width: 160,
      namedOnPhone: true,
      cell: ({ last_seen_at }) => <Time value={last_seen_at} />,
    },
    {
      header: 'Actions',
      hideHeader: true,
      align: 'right',
      width: 110,
      onPhone: 'action',
      cell: (session) =>
        !session.current && (
          <RowButton verb="Sign out" what={nameOf(session)} onClick={() => end.mutate(session)} />
        ),
    },
  ]

  return (
    <Stack component="section" aria-labelledby="sessions" gap="sm">
      <Group justify="space-between" gap="sm">
        <Title order={2} size="h3" id="sessions">
          Where you are signed in
        </Title>
        {hasOthers && (
          <Button variant="default" onClick={() => endOthers.mutate()}>
            Sign out everywhere else
          </Button>
        )}
      </Group>
      <Loaded
        query={query}
        title="Your sessions could not be loaded"
        skeleton={<TableSkeleton rows={3} />}
      >
        {(sessions) => (
          <DataTable
            label="Where you are signed in"
            rows={sessions}
            rowKey={({ session_id }) => session_id}
            columns={columns}
          />
        )}
      </Loaded>
    </Stack>
  )
}

const proofWords: Readonly<Record<ProvedBy, string>> = {
  password: 'Password',
  code: 'Password and code',
  recovery_code: 'Password and recovery code',
  passkey: 'Passkey',
  provider: 'Single sign-on',
}

const withProvider = (name: string, provedBy: ProvedBy) =>
  provedBy === 'provider' ? `With ${name}` : `With ${name} and ${secondWords[provedBy]}`

const secondWords: Readonly<Record<Exclude<ProvedBy, 'provider'>, string>> = {
  password: 'password',
  code: 'code',
  recovery_code: 'recovery code',
  passkey: 'passkey',
}

const nameOf = ({ browser }: AccountSession) => browserName(browser ?? '')

const Browser = ({ session }: { session: AccountSession }) => (
  <Group gap="xs" wrap="nowrap">
    <span title={session.browser ?? ''}>{nameOf(session)}</span>
    {session.current && (
      <Badge flex="none" color="gray">
        This one
      </Badge>
    )}
  </Group>
)

/** Signs out elsewhere. A session that just ended by itself is no failure. */
function useSessionEnds() {
  const refresh = [queryKeys.accountSessions]

  const end = useCall(
    (client, { session_id: id }: AccountSession) => client.accounts.endSession({ id }),
    {
      done: (_reply, session) => `${nameOf(session)} is signed out`,
      failed: (_session, cause) =>
        isMissing(cause) ? undefined : 'Failed to sign out that browser',
      refresh,
    },
  )

  const endOthers = useCall((client) => client.accounts.endOtherSessions({}), {
    ask: () =>
      confirm({
        title: 'Sign out everywhere else',
        message: 'Every other browser has to sign in again. API keys keep working.',
        confirmLabel: 'Sign out everywhere else',
      }),
    done: 'You are signed out everywhere else',
    failed: 'Failed to sign out elsewhere',
    refresh,
  })

  return { end, endOthers }
}
