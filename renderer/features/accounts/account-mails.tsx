import { Stack, Title } from '@mantine/core'
import type { User } from '../../../server/contract'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { useLoad } from '../../lib/client/use-load'
import { useHost } from '../../lib/host/host'
import { Loaded } from '../../ui/feedback/loaded'
import { SwitchField } from '../../ui/plain-switch'
import { TableSkeleton } from '../../ui/table/skeletons'

/** Whether the account gets emails about what waits for it, where the host sends email. */
export function AccountMails({ user }: { user: User }) {
  const { sends_mail: isOffered } = useHost()
  const query = useLoad(
    queryKeys.emailDigest,
    async (client, signal) => (await client.accounts.me({}, signal)).email_digest,
    { enabled: isOffered, refetchOnWindowFocus: true },
  )
  const change = useCall(
    (client, isOn: boolean) => client.accounts.update({ email_digest: isOn }),
    {
      after: (cache, reply) => cache.setQueryData(queryKeys.emailDigest, reply.email_digest),
      failed: 'Failed to change your emails',
    },
  )
  if (!isOffered) return null

  const abouts = {
    off: 'One email for new reports, requests for access and received files, at most one an hour.',
    unconfirmed:
      `Open the link in the email to ${user.email} within 24 hours to confirm this address. ` +
      'An address gets at most three such emails a week.',
    on: `Emails go to ${user.email}, at most one an hour. Each has a link that stops them.`,
  }

  return (
    <Stack component="section" aria-labelledby="emails" gap="sm">
      <Title order={2} size="h3" id="emails">
        Emails
      </Title>
      <Loaded
        query={query}
        title="Your emails could not be loaded"
        skeleton={<TableSkeleton rows={1} />}
      >
        {(digest) => (
          <SwitchField
            id="digest"
            label="Email me about what waits for me"
            description={abouts[digest]}
            checked={digest !== 'off'}
            disabled={change.isPending}
            onChange={({ currentTarget }) => change.mutate(currentTarget.checked)}
          />
        )}
      </Loaded>
    </Stack>
  )
}
