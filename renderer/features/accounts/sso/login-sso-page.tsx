import { Alert, Anchor, Button, Loader, Stack } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { accountTexts } from '../../../../server/texts/account-texts'
import { useHost } from '../../../lib/host/host'
import { useSession } from '../../../lib/session/session'
import { paths } from '../../../paths'
import { AccountCard } from '../account-card'
import type { Trip } from './trip'
import { useSso, type Failure } from './use-sso'

const titles: Record<Trip['purpose'], (name: string) => string> = {
  sign_in: (name) => `Sign in with ${name}`,
  link: (name) => `Link ${name}`,
  again: () => 'Confirm that it is you',
}

const failed: Record<Trip['purpose'], string> = {
  sign_in: 'You are not signed in.',
  link: 'Your account is not linked.',
  again: 'Your identity is not confirmed.',
}

/** Leads to the provider of single sign-on, and continues when it leads back. */
export function LoginSsoPage() {
  // The first render has the answer; the address loses it at once.
  const [query] = useState(() => window.location.search)
  const { single_sign_on: provider, version } = useHost()
  const { status } = useSession()
  const { purpose, failure, isRunning, begin } = useSso(query)
  const name = provider?.name ?? 'single sign-on'

  const isOff = version !== '' && !provider && !failure
  const back =
    purpose !== 'sign_in'
      ? ({ to: paths.account, text: 'Back to your account' } as const)
      : status === 'in'
        ? ({ to: paths.dashboard, text: 'Back to the dashboard' } as const)
        : ({ to: paths.login, text: 'Back to login' } as const)
  return (
    <AccountCard
      title={titles[purpose](name)}
      text={describe({ name, purpose, isOff, isRunning, failure })}
      footer={
        <Anchor component={Link} to={back.to}>
          {back.text}
        </Anchor>
      }
    >
      <Stack gap="md">
        {failure && (
          <Alert
            role="alert"
            color={failure.isSlow ? 'orange' : 'red'}
            variant="light"
            title={failure.text}
          >
            {failure.detail}
          </Alert>
        )}
        {/* So named, the first view is that of the page to come, and nothing loads before it. */}
        {isRunning && <Loader mx="auto" role="status" aria-label="Loading" />}
        {(provider ?? failure) && !isRunning && (
          <Button size="md" fullWidth onClick={begin}>
            {failure ? 'Try again' : accountTexts.continueWith(name)}
          </Button>
        )}
      </Stack>
    </AccountCard>
  )
}

interface Shown {
  name: string
  purpose: Trip['purpose']
  isOff: boolean
  isRunning: boolean
  failure: Failure | undefined
}

function describe({ name, purpose, isOff, isRunning, failure }: Shown): string {
  if (isOff) return 'This host has no single sign-on.'
  if (failure?.isSlow) return 'This takes longer than usual.'
  if (failure) return failed[purpose]
  return isRunning ? 'One moment …' : `Continue to ${name} to sign in. You then return here.`
}
