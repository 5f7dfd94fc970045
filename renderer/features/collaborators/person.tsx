import { Button, Group, Stack, Text } from '@mantine/core'
import type { CollaboratorRole } from '../../../server/contract/accounts/collaborators'
import { Monogram } from '../../ui/text/monogram'
import { RoleSelect } from './role-select'
import { useChangeRole } from './use-collaborators'

interface PersonProps {
  username: string
  role: CollaboratorRole | 'owner'
  /** Shown to the owner of the project. */
  change?: Change
}

interface Change {
  projectId: string
  onRemove: () => void
}

const roleNames = { owner: 'Owner', maintainer: 'Maintainer', collaborator: 'Collaborator' }

export function Person({ username, role, change }: PersonProps) {
  return (
    <Group component="li" gap="xs" px="md" py="sm">
      <Group wrap="nowrap" gap="sm" flex="1 1 10rem" miw={0}>
        <Monogram name={username} size={36} />
        <Stack gap={0} miw={0} flex={1}>
          <Text fw={600} truncate>
            {username}
          </Text>
          {!change && (
            <Text size="xs" c="dimmed">
              {roleNames[role]}
            </Text>
          )}
        </Stack>
      </Group>
      {change && role !== 'owner' && <Actions username={username} role={role} {...change} />}
    </Group>
  )
}

function Actions({
  username,
  role,
  projectId,
  onRemove,
}: Change & { username: string; role: CollaboratorRole }) {
  const { mutate, isPending } = useChangeRole(projectId, username)

  return (
    <Group gap="xs" wrap="nowrap">
      <RoleSelect
        size="xs"
        aria-label={`Role of ${username}`}
        value={role}
        disabled={isPending}
        onChange={({ currentTarget }) => mutate(currentTarget.value as CollaboratorRole)}
      />
      <Button size="xs" variant="default" aria-label={`Remove ${username}`} onClick={onRemove}>
        Remove
      </Button>
    </Group>
  )
}
