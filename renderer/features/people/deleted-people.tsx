import { Button, Group, Paper, Stack, Text } from '@mantine/core'
import type { DeletedPerson } from '../../../server/contract'
import { DAY_MS } from '../../../server/contract/limits'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { formatFiles, formatQuantity, formatSize } from '../../lib/texts/format'
import { confirm } from '../../ui/dialog/confirm'
import { useNow } from '../../ui/text/use-now'

/** The accounts that their owners deleted, which can be restored or removed now. */
export const DeletedPeople = ({ people }: { people: readonly DeletedPerson[] }) => (
  <Paper withBorder px="md" py="sm">
    <Stack gap="sm">
      <div>
        <Text fw={600} component="h2" size="md">
          Deleted accounts
        </Text>
        <Text size="sm" c="dimmed">
          Their owners deleted them. Nobody can see or use them until you restore them.
        </Text>
      </div>
      <Stack
        component="ul"
        gap="sm"
        m={0}
        p={0}
        style={{ listStyle: 'none' }}
        aria-label="Deleted accounts"
      >
        {people.map((person) => (
          <DeletedRow key={person.user_id} person={person} />
        ))}
      </Stack>
    </Stack>
  </Paper>
)

function DeletedRow({ person }: { person: DeletedPerson }) {
  const { restore, erase } = useDeletedActions()
  const { username, email, projects, files, size, expires_at } = person
  const now = useNow()

  return (
    <Group component="li" justify="space-between" gap="sm">
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text component="bdi" fw={600}>
          {username}
        </Text>
        <Text size="sm" c="dimmed">
          {email}
        </Text>
        <Text size="sm">
          Deleted, {daysLeft(expires_at, now)} left · {formatQuantity(projects, 'project')},{' '}
          {formatFiles(files)}, {formatSize(size)}
        </Text>
      </div>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          aria-label={`Restore ${username}`}
          loading={restore.isPending}
          onClick={() => restore.mutate(person)}
        >
          Restore
        </Button>
        <Button
          size="xs"
          variant="default"
          aria-label={`Remove ${username} now`}
          loading={erase.isPending}
          onClick={() => erase.mutate(person)}
        >
          Remove now
        </Button>
      </Group>
    </Group>
  )
}

function useDeletedActions() {
  const refresh = [queryKeys.people.list]

  const restore = useCall(
    (client, { user_id: id }: DeletedPerson) => client.people.restore({ id }),
    {
      ask: (person) =>
        confirm({
          title: `Restore ${person.username}`,
          message:
            `${person.username} can sign in again, and their projects, files and memberships ` +
            `come back.${endedText(person)}`,
          confirmLabel: 'Restore account',
        }),
      done: (_reply, { username }) => `${username} is back`,
      failed: ({ username }) => `Failed to restore ${username}`,
      refresh,
    },
  )

  const erase = useCall((client, { user_id: id }: DeletedPerson) => client.people.erase({ id }), {
    ask: ({ username, size }) =>
      confirm({
        title: `Remove ${username} now`,
        message:
          `Everything of ${username} is deleted permanently, which frees ${formatSize(size)}. ` +
          'Nobody can restore it, except from a backup.',
        confirmLabel: 'Remove permanently',
        danger: true,
      }),
    done: (_reply, { username }) => `${username} is removed permanently`,
    failed: ({ username }) => `Failed to remove ${username}`,
    refresh,
  })

  return { restore, erase }
}

/** How long an account can still be restored: '3 days', or '1 day' on the last one. */
const daysLeft = (expiresAt: string, now: Date): string =>
  formatQuantity(Math.max(1, Math.ceil((Date.parse(expiresAt) - now.getTime()) / DAY_MS)), 'day')

/** The sentences about what does not come back; empty if everything does. */
function endedText({ ended }: Pick<DeletedPerson, 'ended'>): string {
  const { api_keys, file_requests, handed_over } = ended
  const parts = [
    ...(api_keys > 0 ? [formatQuantity(api_keys, 'API key')] : []),
    ...(file_requests > 0 ? [formatQuantity(file_requests, 'file request')] : []),
  ]
  const lost = parts.length === 0 ? '' : ` Ended for good: ${parts.join(' and ')}.`
  const given =
    handed_over === 0
      ? ''
      : ` ${formatQuantity(handed_over, 'project')} that they gave away ` +
        `${handed_over === 1 ? 'stays with its new owner' : 'stay with their new owners'}, ` +
        'and they become a maintainer.'
  return lost + given
}
