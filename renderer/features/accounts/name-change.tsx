import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { accountChangeSchema } from '../../../server/contract'
import { accountTexts } from '../../../server/texts/account-texts'
import { useClient } from '../../lib/client/client-context'
import { explainFailure } from '../../lib/client/failure'
import { refresh } from '../../lib/client/query-client'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useSession } from '../../lib/session/session'
import { notifySuccess } from '../../ui/feedback/notify'
import { FormFrame } from '../../ui/form-frame'
import { PasswordField } from '../../ui/password-field'
import { useHasPassword } from './sso/use-identity'

interface Values {
  username: string
  email: string
  current_password: string
}

/** Changes the username and the email address; the latter asks for the password. */
export function NameChange({ onDone }: { onDone: () => void }) {
  const client = useClient()
  const cache = useQueryClient()
  const { user } = useSession()
  const hasPassword = useHasPassword()
  const saved = { username: user?.username ?? '', email: user?.email ?? '', current_password: '' }
  const changesEmail = ({ email }: Values) => email.trim() !== saved.email

  const form = useApiForm({
    saved,
    schema: accountChangeSchema,
    // Names from before today's rules stay valid until they change.
    toInput: (values: Values) => ({
      ...(values.username.trim() !== saved.username && { username: values.username }),
      ...(changesEmail(values) && {
        email: values.email,
        ...(hasPassword && { current_password: values.current_password }),
      }),
    }),
    send: async (names) => {
      await client.accounts.update(names)
      onDone()
      notifySuccess('Account changed')
      // Each page with the former name is out of date.
      await refresh(cache, [])
    },
    failed: explainFailure({ failed: 'Failed to change the account' }),
  })

  return (
    <FormFrame form={form} submit="Save" onCancel={onDone}>
      <TextInput
        label="Username"
        description={accountTexts.usernameAtRegistration}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus
        {...form.getInputProps('username')}
      />
      <TextInput label="Email" type="email" autoComplete="email" {...form.getInputProps('email')} />
      {changesEmail(form.values) && hasPassword && (
        <PasswordField
          label="Current password"
          description="You can sign in with your email address, so a change needs your password"
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
      )}
    </FormFrame>
  )
}
