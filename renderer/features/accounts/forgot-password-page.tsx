import { Alert, Anchor, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { api } from '../../../server/contract'
import { accountTexts, forgottenForm } from '../../../server/texts/account-texts'
import { useClient } from '../../lib/client/client-context'
import { explainFailure } from '../../lib/client/failure'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useHost } from '../../lib/host/host'
import { paths } from '../../paths'
import { FormFrame } from '../../ui/form-frame'
import { plainInput } from '../../ui/plain-input'
import { AccountCard } from './account-card'

/** Asks for a link that sets a new password, by mail. */
export function ForgotPasswordPage() {
  const { sends_mail } = useHost()
  const [message, setMessage] = useState<string>()

  return (
    <AccountCard
      title={forgottenForm.title}
      text={sends_mail ? forgottenForm.text : accountTexts.forgottenAdvice}
      footer={
        <Anchor component={Link} to={paths.login}>
          Login
        </Anchor>
      }
    >
      <div role="status">{message !== undefined && <Alert variant="light">{message}</Alert>}</div>
      {sends_mail && message === undefined && <ForgottenForm onSent={setMessage} />}
    </AccountCard>
  )
}

function ForgottenForm({ onSent }: { onSent: (message: string) => void }) {
  const client = useClient()
  const form = useApiForm({
    saved: { username: '' },
    schema: api.accounts.forgotPassword.input,
    send: async (fields) => onSent((await client.accounts.forgotPassword(fields)).message),
    failed: explainFailure(forgottenForm),
  })

  return (
    <FormFrame form={form} submit="Send me a link" button={{ size: 'md', fullWidth: true }}>
      <TextInput
        label="Username"
        description={accountTexts.usernameAtLogin}
        {...plainInput}
        autoComplete="username"
        autoFocus
        {...form.getInputProps('username')}
      />
    </FormFrame>
  )
}
