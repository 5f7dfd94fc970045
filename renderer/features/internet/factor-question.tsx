import { Anchor } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { paths } from '../../paths'
import { Warning } from '../../ui/feedback/warning'
import { hasFactor, useFactors } from '../accounts/factors/use-factors'

/** Where a browser notes that it has asked. */
const ASKED = 'slipway:asked-for-factor'

/** Asks once for a second factor: everyone can now try the password of this account. */
export function FactorQuestion() {
  const { data } = useFactors()
  const [isAsked, setAsked] = useState(() => localStorage.getItem(ASKED) !== null)
  if (isAsked || !data || hasFactor(data)) return null

  const dismiss = () => {
    localStorage.setItem(ASKED, 'yes')
    setAsked(true)
  }

  return (
    <Warning title="Add a second factor" onDismiss={dismiss}>
      Anyone can now try your password, and nothing else protects this host.{' '}
      <Anchor component={Link} to={`${paths.account}#second-factor`} inherit underline="always">
        Add a passkey or an authenticator app
      </Anchor>
    </Warning>
  )
}
