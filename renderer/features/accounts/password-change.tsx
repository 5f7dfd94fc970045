import { Button, Group, Stack, Text } from '@mantine/core'
import { useSession } from '../../lib/session/session'
import { PasswordField } from '../../ui/password-field'
import { FormAlert } from '../../ui/feedback/form-alert'
import { PasswordStrength } from './password-strength'
import { usePasswordChange } from './use-password-change'

export function PasswordChange({ onDone }: { onDone: () => void }) {
  const { form, submit, pending, failure } = usePasswordChange(onDone)
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Text c="dimmed">You stay signed in here and are signed out everywhere else. API keys keep working.</Text>
        {failure && <FormAlert {...failure} />}
        <UsernameForManagers />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('current_password')}
        />
        <Stack gap={8}>
          <PasswordField label="New password" autoComplete="new-password" {...form.getInputProps('new_password')} />
          <PasswordStrength password={form.values.new_password} />
        </Stack>
        <PasswordField
          label="Repeat the new password"
          autoComplete="new-password"
          {...form.getInputProps('repetition')}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" color="gray" onClick={onDone}>
            Cancel
          </Button>
          <Button type="submit" loading={pending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function UsernameForManagers() {
  const { user } = useSession()
  return <input type="text" name="username" autoComplete="username" value={user?.username ?? ''} readOnly hidden />
}
