import { Stack } from '@mantine/core'
import type { PropsWithChildren } from 'react'
import { aboutPage } from '../../../server/contract/routes'
import { useSession } from '../../lib/session/session'
import { Page } from '../../ui/layout/page'
import { AccountNames } from './account-names'
import { AccountSessions } from './account-sessions'

/** The account of the signed-in person: name, password and sessions, then `children`. */
export function AccountPage({ children }: PropsWithChildren) {
  const { user } = useSession()
  if (!user) return null

  return (
    <Page title="Account" description={aboutPage('account') ?? ''}>
      <Stack gap="xl">
        <AccountNames user={user} />
        <AccountSessions />
        {children}
      </Stack>
    </Page>
  )
}
