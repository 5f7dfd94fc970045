import { Stack } from '@mantine/core'
import type { PropsWithChildren } from 'react'
import { describePage } from '../../../server/contract/routes'
import { useSession } from '../../lib/session/session'
import { Page } from '../../ui/layout/page'
import { AccountMails } from './account-mails'
import { AccountNames } from './account-names'
import { AccountSessions } from './account-sessions'
import { AccountFactors } from './factors/account-factors'
import { AccountSso } from './sso/account-sso'
import { DeleteSection } from './deletion/delete-section'

/**
 * The account of the signed-in person: name, password, emails, sessions, `children`, and its
 * deletion.
 */
export function AccountPage({ children }: PropsWithChildren) {
  const { user } = useSession()
  if (!user) return null

  return (
    <Page {...describePage('account')}>
      <Stack gap="xl">
        <AccountNames user={user} />
        <AccountMails user={user} />
        <AccountFactors />
        <AccountSso />
        <AccountSessions />
        {children}
        <DeleteSection isHost={user.is_host} />
      </Stack>
    </Page>
  )
}
