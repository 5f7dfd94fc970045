import { Button, Divider } from '@mantine/core'
import type { ReactNode } from 'react'
import { accountTexts } from '../../../../server/texts/account-texts'
import { useCall } from '../../../lib/client/use-call'
import { useHost } from '../../../lib/host/host'
import { goToProvider } from './trip'
import { useIdentity } from './use-identity'

/**
 * Proves a person again by the provider of single sign-on, where it is linked. `orElse`: the way by
 * a password, for those who have one.
 */
export function ProveBySso({ orElse }: { orElse: ReactNode }) {
  const { single_sign_on: provider } = useHost()
  const { data } = useIdentity()
  const proving = useCall((client) => client.singleSignOn.begin({ again: true }), {
    after: (_cache, { url }) => {
      const { pathname, search } = window.location
      goToProvider(url, { purpose: 'again', from: pathname + search })
    },
    failed: 'Failed to reach the provider',
  })
  const isHere = provider && new URL(provider.url).origin === window.location.origin
  const hasPassword = data?.has_password !== false
  const isOffered = isHere && data?.identity

  return (
    <>
      {hasPassword && orElse}
      {hasPassword && isOffered && <Divider label="or" />}
      {isOffered && (
        <Button
          variant="default"
          loading={proving.isPending || proving.isSuccess}
          onClick={() => proving.mutate()}
        >
          {accountTexts.continueWith(provider.name)}
        </Button>
      )}
    </>
  )
}
