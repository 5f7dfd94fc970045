import { Button, Group, Stack, Text } from '@mantine/core'
import { Monogram } from '../../ui/text/monogram'

interface PersonProps {
  username: string
  role: 'Owner' | 'Collaborator'
  onRemove?: () => void
}

export function Person({ username, role, onRemove }: PersonProps) {
  return (
    <Group component="li" wrap="nowrap" gap="sm" px="md" py="sm">
      <Monogram name={username} size={36} />
      <Stack gap={0} miw={0} flex={1}>
        <Text fw={600} truncate>
          {username}
        </Text>
        <Text size="xs" c="dimmed">
          {role}
        </Text>
      </Stack>
      {onRemove && (
        <Button size="xs" variant="default" aria-label={`Remove ${username}`} onClick={onRemove}>
          Remove
        </Button>
      )}
    </Group>
  )
}
