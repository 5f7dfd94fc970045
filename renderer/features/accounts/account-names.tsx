import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { User } from '../../../server/contract'
import { Time } from '../../ui/text/time'
import { openForm } from './open-form'
import { useIdentity } from './sso/use-identity'

/** How the account is called, and the changes of that and of the password. */
export function AccountNames({ user }: { user: User }) {
  const hasPassword = useIdentity().data?.has_password !== false

  return (
    <Paper component="section" aria-label="Name and password" withBorder px="md" py="sm">
      <Group justify="space-between" gap="sm">
        <Stack gap={2} miw={0}>
          <Title order={2} size="h3" style={{ overflowWrap: 'anywhere' }}>
            {user.username}
          </Title>
          <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {user.email}
          </Text>
          <Text size="sm" c="dimmed">
            {user.tier_name} tier · Registered <Time value={user.created_at} inSentence />
          </Text>
        </Stack>
        <Group gap="sm">
          <Button variant="default" onClick={() => void openNameChange()}>
            Edit
          </Button>
          <Button variant="default" onClick={() => void openPasswordChange(hasPassword)}>
            {hasPassword ? 'Change password' : 'Set a password'}
          </Button>
        </Group>
      </Group>
    </Paper>
  )
}

const openPasswordChange = (hasPassword: boolean) =>
  openForm(
    hasPassword ? 'Change password' : 'Set a password',
    async () => (await import('./password-change')).PasswordChange,
  )

const openNameChange = () =>
  openForm('Edit account', async () => (await import('./name-change')).NameChange)
