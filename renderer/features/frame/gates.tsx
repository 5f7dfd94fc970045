import { useEffect } from 'react'
import { Outlet, useLocation, useNavigate } from 'react-router-dom'
import { useSession } from '../../lib/session/session'
import { useSignInState, type SignInState } from '../../lib/session/sign-in-state'
import { useLinkToken } from '../../lib/hooks/use-link-token'
import { paths } from '../../paths'

/** For pages that need an account: signed-out people sign in first, then return. */
export function SignedIn() {
  const { status, hasLeft, farewell, lacksFactor } = useSession()
  const { pathname, search, hash } = useLocation()
  if (status === 'loading') return null
  if (status === 'in' && lacksFactor && pathname !== paths.account)
    return <Redirect to={paths.account} />
  if (status === 'in') return <Outlet />
  const from = hasLeft ? undefined : pathname + search + hash
  return <Redirect to={paths.login} from={from} message={farewell} />
}

/**
 * For signed-out people, and for opened setup or invite links. Signing in leads back to the
 * previous page, else to the dashboard.
 */
export function SignedOut() {
  const { status } = useSession()
  const { from = paths.dashboard } = useSignInState()
  const setup = useLinkToken('setup')
  const invite = useLinkToken('invite')
  if (status === 'loading') return null
  if (status === 'out' || (setup ?? invite) !== undefined) return <Outlet />
  return <Redirect to={from} />
}

interface RedirectProps extends Pick<SignInState, 'from' | 'message'> {
  to: string
}

/**
 * Redirects once. While the target's code loads, the back button can return here, and the router
 * sees no change because it has shown nothing else yet.
 */
function Redirect({ to, from, message }: RedirectProps) {
  const navigate = useNavigate()
  const { pathname, key } = useLocation()

  useEffect(() => {
    const state: SignInState = { from, message }
    const lead = () => void navigate(to, { replace: true, state })
    const leadAgain = () => {
      if (window.location.pathname === pathname) lead()
    }
    lead()
    window.addEventListener('popstate', leadAgain)
    return () => window.removeEventListener('popstate', leadAgain)
  }, [navigate, to, from, message, pathname, key])

  return null
}
