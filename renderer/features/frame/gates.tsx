import { useEffect } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router-dom'
import { useSession } from '../../lib/session/session'
import { useSignInState, type SignInState } from '../../lib/session/sign-in-state'
import { useLinkToken } from '../../lib/hooks/use-link-token'
import { paths } from '../../paths'

/** Pages that need an account: everyone else signs in first, and comes back here. */
export function SignedIn() {
  const { status, left } = useSession()
  const { pathname, search, hash } = useLocation()
  if (status === 'loading') return null
  if (status === 'in') return <Outlet />
  return <Redirect to={paths.login} from={left ? undefined : pathname + search + hash} />
}

/**
 * Pages for people who are not signed in yet, and for those who have opened a setup or invite link. Signing in leads back
 * to where they were, else to the dashboard.
 */
export function SignedOut() {
  const { status } = useSession()
  const { from = paths.dashboard } = useSignInState()
  const [setup, invite] = [useLinkToken('setup'), useLinkToken('invite')]
  if (status === 'loading') return null
  if (status === 'out' || (setup ?? invite) !== undefined) return <Outlet />
  return <Redirect to={from} />
}

/**
 * Leads on from a page that is not for this person, in its place. While the other page's code is on its way, the back
 * button can lead here again; the router sees no change in that, because it has shown nothing else yet.
 */
function Redirect({ to, from }: { to: string; from?: string | undefined }) {
  const navigate = useNavigate()
  const { pathname, key } = useLocation()

  useEffect(() => {
    const state: SignInState = from === undefined ? {} : { from }
    const lead = () => void navigate(to, { replace: true, state })
    const leadAgain = () => {
      if (window.location.pathname === pathname) lead()
    }
    lead()
    window.addEventListener('popstate', leadAgain)
    return () => window.removeEventListener('popstate', leadAgain)
  }, [navigate, to, from, pathname, key])

  return null
}
