import { Navigate, Outlet, useLocation } from 'react-router-dom'
import { useSession } from '../../lib/session'
import { useSignInState, type SignInState } from '../../lib/sign-in-state'
import { paths } from '../../paths'

/** Pages that need an account: everyone else signs in first, and comes back here. */
export function SignedIn() {
  const { status, left } = useSession()
  const { pathname, search, hash, key } = useLocation()
  if (status === 'loading') return null
  if (status === 'in') return <Outlet />
  const state: SignInState = left ? {} : { from: pathname + search + hash }
  // The key makes each arrival a redirect of its own, also when the last one has not been shown yet.
  return <Navigate key={key} to={paths.login} replace state={state} />
}

/** Pages for people who are not signed in yet. Signing in leads back to where they were, else to the dashboard. */
export function SignedOut() {
  const { status } = useSession()
  const { from = paths.dashboard } = useSignInState()
  if (status === 'loading') return null
  if (status === 'out') return <Outlet />
  return <Navigate to={from} replace />
}
