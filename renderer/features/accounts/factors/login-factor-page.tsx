import { Alert, Anchor, Button, Stack, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { api } from '../../../../server/contract'
import { loginForm } from '../../../../server/texts/account-texts'
import { ApiError } from '../../../lib/client/api-client'
import { useClient } from '../../../lib/client/client-context'
import { explainFailure } from '../../../lib/client/failure'
import { useCall } from '../../../lib/client/use-call'
import { useApiForm } from '../../../lib/forms/use-api-form'
import { useHost } from '../../../lib/host/host'
import { useSession } from '../../../lib/session/session'
import { useSignInState } from '../../../lib/session/sign-in-state'
import { paths } from '../../../paths'
import { notifySuccess } from '../../../ui/feedback/notify'
import { FormFrame } from '../../../ui/form-frame'
import { plainInput } from '../../../ui/plain-input'
import { AccountCard } from '../account-card'
import { PasskeyRefused, askForPasskey, worksHere } from './passkey-browser'

/** Asks for a code or a passkey after the password, or for a passkey alone. */
export function LoginFactorPage() {
  const { from, ticket, username, factors = [] } = useSignInState()
  const { passkey_origins: origins } = useHost()
  const isHere = worksHere(origins)
  const offersPasskey = isHere && (ticket === undefined || factors.includes('passkey'))

  return (
    <AccountCard
      title={ticket === undefined ? 'Passkey' : 'Second factor'}
      text={
        ticket === undefined
          ? 'Sign in without a password.'
          : `Confirm that ${username === undefined ? 'it is you' : `you are ${username}`}.`
      }
      footer={
        <Anchor component={Link} to={paths.login} state={{ from }}>
          Back to login
        </Anchor>
      }
    >
      <Stack gap="md">
        {offersPasskey && <PasskeyButton ticket={ticket} />}
        {ticket !== undefined && <CodeForm ticket={ticket} hasApp={factors.includes('code')} />}
        {!offersPasskey && (ticket === undefined || !factors.includes('code')) && (
          <NotHere origin={origins[0]} />
        )}
      </Stack>
    </AccountCard>
  )
}

function PasskeyButton({ ticket }: { ticket: string | undefined }) {
  const { signIn } = useSession()
  const signing = useCall((client) =>
    signIn(async () =>
      client.factors.signInByPasskey({ response: await askForPasskey(client, ticket) }),
    ),
  )

  return (
    <>
      <div role="alert">
        {signing.error && <Alert color="red" variant="light" title={explain(signing.error).text} />}
      </div>
      <Button
        size="md"
        fullWidth
        leftSection={<IconFingerprint size={18} />}
        loading={signing.isPending}
        onClick={() => signing.mutate()}
      >
        Use a passkey
      </Button>
    </>
  )
}

function CodeForm({ ticket, hasApp }: { ticket: string; hasApp: boolean }) {
  const client = useClient()
  const { signIn } = useSession()

  const form = useApiForm({
    saved: { code: '' },
    schema: api.factors.signInByCode.input.pick({ code: true }),
    send: async ({ code }) => {
      let left: number | undefined
      await signIn(async () => {
        const isRecovery = !/^[\d\s]+$/.test(code)
        const { recovery_codes_left } = await client.factors.signInByCode({
          sign_in_ticket: ticket,
          code,
        })
        if (isRecovery) left = recovery_codes_left
      })
      if (left !== undefined) notifySuccess(`Signed in. ${left} recovery codes are left.`)
    },
    failed: explain,
  })

  return (
    <FormFrame form={form} submit="Continue" button={{ size: 'md', fullWidth: true }}>
      <TextInput
        label={hasApp ? 'Code' : 'Recovery code'}
        description={
          hasApp
            ? 'Six digits from your app, or a recovery code'
            : 'One of the recovery codes that you saved'
        }
        {...plainInput}
        autoComplete="one-time-code"
        autoFocus
        {...form.getInputProps('code')}
      />
    </FormFrame>
  )
}

const NotHere = ({ origin }: { origin: string | undefined }) => (
  <Alert variant="light" color="gray">
    {origin === undefined ? (
      'Passkeys do not work at this address.'
    ) : (
      <>
        Passkeys work at{' '}
        <Anchor href={origin + paths.login} inherit underline="always">
          {origin}
        </Anchor>{' '}
        only.
      </>
    )}
  </Alert>
)

/** A refusal of the browser has words of its own. */
function explain(cause: unknown) {
  if (cause instanceof PasskeyRefused) return { text: cause.message }
  const { text, detail } = explainFailure(loginForm)(cause)
  const isOver = cause instanceof ApiError && cause.code === 'sign_in_expired'
  return { text, detail: isOver ? 'Select Back to login below.' : detail }
}
