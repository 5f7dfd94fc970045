import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import type { Invite } from '../../../../server/contract'
import { AfterFirstView } from '../../../lib/browser/after-first-view'
import { lazyPage } from '../../../lib/browser/lazy-page'
import { formatDate } from '../../../lib/texts/format'
import { useLateDialog } from '../../../ui/dialog/use-late-dialog'
import { useInvites, useRevokeInvite } from './use-invites'

const InviteDialog = lazyPage(() => import('./invite-dialog'), 'InviteDialog')

export function InvitesCard() {
  const { data: invites = [] } = useInvites()
  const { isOpen, isNeeded, open, close } = useLateDialog()

  return (
    <Paper withBorder px="md" py="sm">
      <Stack gap="sm">
        <Group justify="space-between" gap="sm" wrap="nowrap">
          <div>
            <Text fw={600} component="h2" size="md">
              Invite links
            </Text>
            <Text size="sm" c="dimmed">
              Each link lets one person register within 7 days, also while registration is closed.
            </Text>
          </div>
          <Button
            flex="none"
            leftSection={<IconUserPlus size={16} />}
            aria-haspopup="dialog"
            onClick={open}
          >
            Invite
          </Button>
          <AfterFirstView isNeeded={isNeeded}>
            <InviteDialog isOpen={isOpen} onClose={close} />
          </AfterFirstView>
        </Group>
        {invites.length > 0 && (
          <Stack
            component="ul"
            gap="xs"
            m={0}
            p={0}
            style={{ listStyle: 'none' }}
            aria-label="Open invite links"
          >
            {invites.map((invite) => (
              <OpenInvite key={invite.invite_id} invite={invite} />
            ))}
          </Stack>
        )}
      </Stack>
    </Paper>
  )
}

function OpenInvite({ invite }: { invite: Invite }) {
  const revoke = useRevokeInvite()

  const what = [invite.tier_name ?? 'Default tier', invite.project?.title, invite.email]
    .filter(Boolean)
    .join(' · ')

  return (
    <Group component="li" justify="space-between" gap="sm" wrap="nowrap">
      <Text size="sm">
        {what}
        <Text span inherit c="dimmed">
          {` · expires ${formatDate(invite.expires_at)}`}
        </Text>
      </Text>
      <Button
        size="xs"
        flex="none"
        variant="default"
        aria-label={`Revoke the invite link for ${what}`}
        loading={revoke.isPending}
        onClick={() => revoke.mutate(invite.invite_id)}
      >
        Revoke
      </Button>
    </Group>
  )
}
