import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { useHost } from '../../lib/host'
import { useSession } from '../../lib/session'
import { useSignInState } from '../../lib/sign-in-state'
import { useLinkToken } from '../../lib/use-link-token'
import { paths } from '../../paths'
import { PasswordField } from '../../ui/password-field'
import { AccountCard } from './account-card'
import { FormAlert } from './form-alert'
import { PasswordStrength } from './password-strength'
import { useRegistration } from './use-registration'

export function RegisterPage() {
  const { registration_open } = useHost()
  const setup = useLinkToken('setup')
  if (setup !== undefined) return <HostRegistration setup={setup} />
  return (
    <AccountCard title="Register" text="An account on this host, for publishing your own files." footer={<ToLogin />}>
      {registration_open ? <RegistrationForm /> : <Closed />}
    </AccountCard>
  )
}

/** Opened by the setup link that a host without a host account prints. */
function HostRegistration({ setup }: { setup: string }) {
  const { user } = useSession()
  return (
    <AccountCard
      title="Create the host account"
      text="This account looks after the host: its settings, people and backups."
      footer={!user && <ToLogin />}
    >
      {user && (
        <Alert variant="light" mb="md">
          You are signed in as {user.username}. Creating the host account signs you out.
        </Alert>
      )}
      <RegistrationForm setup={setup} action="Create the host account" />
    </AccountCard>
  )
}

function RegistrationForm({ setup, action = 'Register' }: { setup?: string; action?: string }) {
  const { form, submit, pending, failure } = useRegistration(setup)
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {failure && <FormAlert {...failure} />}
        <TextInput
          label="Username"
          description="Others see it on what you publish"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...form.getInputProps('username')}
        />
        <TextInput label="Email" type="email" autoComplete="email" {...form.getInputProps('email')} />
        <Stack gap={8}>
          <PasswordField label="Password" autoComplete="new-password" {...form.getInputProps('password')} />
          <PasswordStrength password={form.values.password} />
        </Stack>
        <PasswordField label="Confirm password" autoComplete="new-password" {...form.getInputProps('confirmation')} />
        <Button type="submit" size="md" fullWidth loading={pending}>
          {action}
        </Button>
      </Stack>
    </form>
  )
}

function Closed() {
  return (
    <Alert variant="light" color="gray" icon={<IconLock />} title="Registration is closed">
      This host takes no new accounts at the moment. Ask the person who runs it for one.
    </Alert>
  )
}

/** The way back to where the person was goes along to the other form. */
function ToLogin() {
  const { from } = useSignInState()
  return (
    <>
      Have an account?{' '}
      <Anchor component={Link} to={paths.login} state={{ from }}>
        Login
      </Anchor>
    </>
  )
}
