import { Badge, Group, Text } from '@mantine/core'
import type { Person } from '../../../server/contract'

export function PersonName({ person: { username, email, is_host }, isSelf }: { person: Person; isSelf: boolean }) {
  return (
    <>
      <Group gap="xs" wrap="nowrap">
        <Text component="bdi" fw={600} truncate title={username}>
          {username}
        </Text>
        {is_host && <Badge flex="none">Host</Badge>}
        {isSelf && (
          <Badge flex="none" color="gray">
            You
          </Badge>
        )}
      </Group>
      <Text size="xs" c="dimmed" truncate title={email}>
        {email}
      </Text>
    </>
  )
}
