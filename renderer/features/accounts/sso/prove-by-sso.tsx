import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { accountTexts } from '../../../../server/texts/account-texts'
import { useCall } from '../../../lib/client/use-call'
import { useHost } from '../../../lib/host/host'
import { keepTrip } from './trip'
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
      keepTrip({ purpose: 'again', from: window.location.pathname + window.location.search })
      window.location.assign(url)
    },
    failed: 'Failed to reach the provider',
  })
  const isHere = provider && new URL(provider.url).origin === window.location.origin

  return (
    <>
      {data?.has_password !== false && orElse}
      {isHere && data?.identity && (
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
