import { Button, Divider } from '@mantine/core'
import { IconLogin2 } from '@tabler/icons-react'
import { Link } from 'react-router-dom'
import { accountTexts } from '../../../../server/texts/account-texts'
import { isAppWindow } from '../../../lib/browser/desktop'
import { useHost } from '../../../lib/host/host'
import { useSignInState } from '../../../lib/session/sign-in-state'
import { paths } from '../../../paths'

/**
 * Leads to the provider of single sign-on, where the host has one. The app window opens no pages of
 * others, so it has no button. `invite`: the token of an invite link.
 */
export function ContinueWith({ invite }: { invite?: string }) {
  const { from } = useSignInState()
  const { single_sign_on: provider } = useHost()
  if (!provider || isAppWindow()) return null

  const text = accountTexts.continueWith(provider.name)
  const props = {
    variant: 'default',
    size: 'md',
    fullWidth: true,
    leftSection: <IconLogin2 size={18} />,
  }
  // The provider sends people back to one address only, which then has what the browser keeps.
  const isHere = new URL(provider.url).origin === window.location.origin
  const state = { from, invite, hasChosenProvider: true }
  const query = invite === undefined ? '' : `?invite=${invite}`

  return (
    <>
      <Divider label="or" my="md" />
      {isHere ? (
        <Button component={Link} to={paths.loginSso} state={state} {...props}>
          {text}
        </Button>
      ) : (
        <Button component="a" href={provider.url + query} {...props}>
          {text}
        </Button>
      )}
    </>
  )
}
