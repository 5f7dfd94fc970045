import { Alert, Anchor, List, Loader, Stack, TextInput } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { Link, useNavigate } from 'react-router-dom'
import { accountTexts, registerForm } from '../../../server/texts/account-texts'
import { ApiError } from '../../lib/client/api-client'
import { useHost } from '../../lib/host/host'
import { useSession } from '../../lib/session/session'
import { useSignInState } from '../../lib/session/sign-in-state'
import { useLinkToken } from '../../lib/hooks/use-link-token'
import { paths } from '../../paths'
import { Loaded } from '../../ui/feedback/loaded'
import { PasswordField } from '../../ui/password-field'
import { AccountCard } from './account-card'
import { LinkProblem } from './link-problem'
import { FormFrame } from '../../ui/form-frame'
import { plainInput } from '../../ui/plain-input'
import { PasswordStrength } from './password-strength'
import { ContinueWith } from './sso/continue-with'
import { StartFromBackup } from './start-from-backup'
import { useInvite } from './use-invite'
import { useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import { registrationSchema } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'
import { useApiForm } from '../../lib/forms/use-api-form'
import { explainFailure } from '../../lib/client/failure'

export function RegisterPage() {
  const { registration_open, needs_setup } = useHost()
  const setup = useLinkToken('setup')
  const invite = useLinkToken('invite')

  if (setup !== undefined) return <HostRegistration setup={setup} />
  if (needs_setup) return <SetUpHost />
  if (invite !== undefined) return <InvitedRegistration invite={invite} />

  return (
    <AccountCard title={registerForm.title} text={registerForm.text} footer={<ToLogin />}>
      {registration_open ? <RegistrationForm /> : <Closed />}
    </AccountCard>
  )
}

const MANAGES = 'This account manages the host: its settings, people and backups.'

/** The first start of the app: instead of a page that explains Slipway to visitors. */
export function SetUpHost() {
  return (
    <AccountCard title="Set up this host" text={MANAGES}>
      <StartFromBackup>
        <List size="sm" spacing={4}>
          <List.Item>Drop a file, get a link for others.</List.Item>
          <List.Item>Files stay on this computer.</List.Item>
          <List.Item>Others reach it once you share it.</List.Item>
        </List>
        <RegistrationForm action="Create the host account" />
      </StartFromBackup>
    </AccountCard>
  )
}

function HostRegistration({ setup }: { setup: string }) {
  const { user } = useSession()
  return (
    <AccountCard title="Create the host account" text={MANAGES} footer={!user && <ToLogin />}>
      <SignsOut what="Creating the host account" />
      <StartFromBackup>
        <RegistrationForm link={{ setup }} action="Create the host account" />
      </StartFromBackup>
    </AccountCard>
  )
}

function InvitedRegistration({ invite }: { invite: string }) {
  const { user } = useSession()
  const look = useInvite(invite)
  const { data, error } = look

  return (
    <AccountCard
      title="Register"
      text={data ? inviteText(data) : 'You have opened an invite link.'}
      footer={!user && <ToLogin />}
    >
      {error instanceof ApiError && error.code === 'invite_link_invalid' ? (
        <LinkProblem title="This invite link does not work" text={error.message} />
      ) : (
        <Loaded
          query={look}
          title="The invite link could not be checked"
          skeleton={<Loader mx="auto" aria-label="Checking the invite link" />}
        >
          {() => (
            <>
              <SignsOut what="Registering another account" />
              <RegistrationForm link={{ invite }} />
              {!user && <ContinueWith invite={invite} />}
            </>
          )}
        </Loaded>
      )}
    </AccountCard>
  )
}

function inviteText({
  tier_name,
  project_title,
}: {
  tier_name: string
  project_title: string | null
}): string {
  const account = `You are invited to create an account on this host, with the ${tier_name} tier.`
  return project_title === null
    ? account
    : `${account} It gives you access to the project ${project_title}.`
}

function SignsOut({ what }: { what: string }) {
  const { user } = useSession()
  if (!user) return null
  return (
    <Alert variant="light" mb="md">
      You are signed in as {user.username}. {what} signs you out.
    </Alert>
  )
}

function RegistrationForm({
  link = {},
  action = 'Register',
}: {
  link?: RegistrationLink
  action?: string
}) {
  const form = useRegistration(link)

  return (
    <FormFrame
      form={form}
      submit={action}
      slow={accountTexts.checking}
      button={{ size: 'md', fullWidth: true }}
    >
      <TextInput
        label="Username"
        description={accountTexts.usernameAtRegistration}
        {...plainInput}
        autoComplete="username"
        autoFocus
        {...form.getInputProps('username')}
      />
      <TextInput label="Email" type="email" autoComplete="email" {...form.getInputProps('email')} />
      <Stack gap={8}>
        <PasswordField
          label="Password"
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <PasswordStrength password={form.values.password} />
      </Stack>
      <PasswordField
        label="Confirm password"
        autoComplete="new-password"
        {...form.getInputProps('confirmation')}
      />
    </FormFrame>
  )
}

function Closed() {
  return (
    <Alert variant="light" color="gray" icon={<IconLock />} title={accountTexts.closed}>
      {accountTexts.closedAdvice}
    </Alert>
  )
}

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

/** The contract's rules, plus the repeated password. */
const formSchema = registrationSchema
  .extend({ confirmation: z.string() })
  .refine(({ password, confirmation }) => password === confirmation, {
    error: accountTexts.passwordsDiffer,
    path: ['confirmation'],
    when: () => true,
  })

type RegistrationLink = { setup?: string; invite?: string }

function useRegistration(link: RegistrationLink) {
  const client = useClient()
  const cache = useQueryClient()
  const navigate = useNavigate()
  const { from } = useSignInState()
  const { user, signIn, signOut } = useSession()
  const { needs_setup } = useHost()
  const setsUp = needs_setup || link.setup !== undefined

  return useApiForm({
    saved: { username: '', email: '', password: '', confirmation: '' },
    schema: formSchema,
    send: async ({ confirmation: _, ...account }, { username }) => {
      await client.accounts.register({ ...account, ...link })
      if (user) await signOut()
      // The first account sets the host up, and its owner is at it.
      const isSignedIn = setsUp && (await succeeds(signIn(() => client.accounts.login(account))))
      await refresh(cache, queryKeys.host)
      if (isSignedIn) {
        await navigate(paths.dashboard)
        return
      }

      await navigate(paths.login, { state: { from, message: accountTexts.registered, username } })
    },
    failed: explainFailure(registerForm),
  })
}

const succeeds = (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  )
