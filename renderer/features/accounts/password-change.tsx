import { Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { passwordChangeSchema } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useSession } from '../../lib/session/session'
import { notifySuccess } from '../../ui/feedback/notify'
import { PasswordField } from '../../ui/password-field'
import { FormFrame } from '../../ui/form-frame'
import { isRepeated, NewPasswordFields, notRepeated, repeatedPassword } from './new-password-fields'
import { explainFailure } from '../../lib/client/failure'
import { useHasPassword } from './sso/use-identity'

/** The contract's rules, plus the repeated password. */
const schema = passwordChangeSchema.extend(repeatedPassword).refine(isRepeated, notRepeated)

export function PasswordChange({ onDone }: { onDone: () => void }) {
  const client = useClient()
  const cache = useQueryClient()
  const hasPassword = useHasPassword()
  const form = useApiForm({
    saved: { current_password: '', new_password: '', repetition: '' },
    schema,
    toInput: ({ current_password, ...values }) => ({
      ...values,
      ...(hasPassword && { current_password }),
    }),
    send: async ({ repetition: _, ...passwords }) => {
      await client.accounts.changePassword(passwords)
      onDone()
      await refresh(cache, [queryKeys.identity])
      notifySuccess('Password changed. You were signed out everywhere else.')
    },
    failed: explainFailure({ failed: 'Failed to change password' }),
  })

  return (
    <FormFrame
      form={form}
      submit={hasPassword ? 'Change password' : 'Set password'}
      onCancel={onDone}
    >
      <Text c="dimmed">
        You stay signed in here and are signed out everywhere else. API keys keep working.
      </Text>
      <UsernameForManagers />
      {hasPassword && (
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          data-autofocus
          {...form.getInputProps('current_password')}
        />
      )}
      <NewPasswordFields form={form} />
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
