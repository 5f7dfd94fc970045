import { Stack, Text } from '@mantine/core'
import { z } from 'zod'
import { passwordChangeSchema } from '../../../server/contract'
import { accountTexts } from '../../../server/texts/account-texts'
import { useClient } from '../../lib/client/client-context'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useSession } from '../../lib/session/session'
import { notifySuccess } from '../../ui/feedback/notify'
import { PasswordField } from '../../ui/password-field'
import { FormFrame } from '../../ui/form-frame'
import { PasswordStrength } from './password-strength'
import { explainFailure } from '../../lib/client/failure'

/** The contract's rules, plus the repeated password. */
const schema = passwordChangeSchema
  .extend({ repetition: z.string() })
  .refine(({ new_password, repetition }) => new_password === repetition, {
    error: accountTexts.passwordsDiffer,
    path: ['repetition'],
    when: () => true,
  })

export function PasswordChange({ onDone }: { onDone: () => void }) {
  const client = useClient()
  const form = useApiForm({
    saved: { current_password: '', new_password: '', repetition: '' },
    schema,
    send: async ({ repetition: _, ...passwords }) => {
      await client.accounts.changePassword(passwords)
      onDone()
      notifySuccess('Password changed. You were signed out everywhere else.')
    },
    failed: explainFailure({ failed: 'Failed to change password' }),
  })

  return (
    <FormFrame form={form} submit="Change password" onCancel={onDone}>
      <Text c="dimmed">
        You stay signed in here and are signed out everywhere else. API keys keep working.
      </Text>
      <UsernameForManagers />
      <PasswordField
        label="Current password"
        autoComplete="current-password"
        data-autofocus
        {...form.getInputProps('current_password')}
      />
      <Stack gap={8}>
        <PasswordField
          label="New password"
          autoComplete="new-password"
          {...form.getInputProps('new_password')}
        />
        <PasswordStrength password={form.values.new_password} />
      </Stack>
      <PasswordField
        label="Repeat the new password"
        autoComplete="new-password"
        {...form.getInputProps('repetition')}
      />
    </FormFrame>
  )
}

function UsernameForManagers() {
  const { user } = useSession()

  return (
    <input
      type="text"
      name="username"
      autoComplete="username"
      value={user?.username ?? ''}
      readOnly
      hidden
    />
  )
}
