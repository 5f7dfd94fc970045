import { Alert, Anchor, TextInput } from '@mantine/core'
import { Link, useNavigate } from 'react-router-dom'
import { accountTexts, loginForm } from '../../../server/texts/account-texts'
import { ApiError } from '../../lib/client/api-client'
import { useClient } from '../../lib/client/client-context'
import { useHost } from '../../lib/host/host'
import { useSession } from '../../lib/session/session'
import { useSignInState, type SignInState } from '../../lib/session/sign-in-state'
import { paths } from '../../paths'
import { Loaded } from '../../ui/feedback/loaded'
import { PasswordField } from '../../ui/password-field'
import { AccountCard } from './account-card'
import { FormFrame } from '../../ui/form-frame'
import { plainInput } from '../../ui/plain-input'
import { ContinueWith } from './sso/continue-with'
import { useTemporaryMessage } from './use-temporary-message'
import { api } from '../../../server/contract'
import { useApiForm } from '../../lib/forms/use-api-form'
import { explainFailure } from '../../lib/client/failure'

export function LoginPage() {
  const form = useLogin()
  const isKnown = useSignInState().username !== undefined

  return (
    <AccountCard title={loginForm.title} text={loginForm.text} footer={<Footer />}>
      <FormFrame
        form={form}
        submit="Login"
        slow={accountTexts.checking}
        button={{ size: 'md', fullWidth: true }}
      >
        <PassedMessage />
        {!form.failure && <Unchecked />}
        <TextInput
          label="Username"
          description={accountTexts.usernameAtLogin}
          {...plainInput}
          autoComplete="username"
          autoFocus={!isKnown}
          {...form.getInputProps('username')}
        />
        <PasswordField
          label="Password"
          autoComplete="current-password"
          autoFocus={isKnown}
          {...form.getInputProps('password')}
        />
      </FormFrame>
      <ContinueWith />
    </AccountCard>
  )
}

/** Shown in place of a bare password field when the session could not be loaded. */
function Unchecked() {
  const { failure, checkAgain } = useSession()
  return (
    <Loaded
      query={{ error: failure, refetch: checkAgain }}
      title="Your session could not be checked"
    />
  )
}

/** The message that the registration page passed on; it clears by itself. */
function PassedMessage() {
  const message = useTemporaryMessage(useSignInState().message)
  return (
    <div role="status">{message !== undefined && <Alert variant="light">{message}</Alert>}</div>
  )
}

const Footer = () => (
  <>
    <ToRegister />
    <br />
    <Forgotten />
    <ToPasskey />
  </>
)

function Forgotten() {
  const { sends_mail } = useHost()
  if (!sends_mail) return accountTexts.forgotten
  return (
    <Anchor component={Link} to={paths.forgotPassword}>
      {accountTexts.forgottenByMail}
    </Anchor>
  )
}

function ToPasskey() {
  const { from } = useSignInState()
  const { passkey_origins } = useHost()
  if (!passkey_origins.includes(window.location.origin)) return null

  return (
    <>
      <br />
      <Anchor component={Link} to={paths.loginFactor} state={{ from }}>
        {accountTexts.byPasskey}
      </Anchor>
    </>
  )
}

function ToRegister() {
  const { from } = useSignInState()
  const { registration_open } = useHost()
  if (!registration_open) return accountTexts.closedAtLogin

  return (
    <>
      No account yet?{' '}
      <Anchor component={Link} to={paths.register} state={{ from }}>
        Register
      </Anchor>
    </>
  )
}

function useLogin() {
  const client = useClient()
  const navigate = useNavigate()
  const { signIn } = useSession()
  const { username = '', from } = useSignInState()
  return useApiForm({
    saved: { username, password: '' },
    schema: api.accounts.login.input,
    send: (credentials) =>
      signIn(() => client.accounts.login(credentials)).catch((cause: unknown) => {
        if (!(cause instanceof ApiError) || cause.code !== 'factor_needed') throw cause
        const state: SignInState = { ...cause.next, from, username: credentials.username }
        return navigate(paths.loginFactor, { state })
      }),
    failed: explainFailure(loginForm),
  })
}
