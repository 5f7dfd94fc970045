import { useNavigate } from 'react-router-dom'
import { useSession } from '../../lib/session'
import { paths } from '../../paths'

/** Ends the session and opens the sign-in page, also where the page could stay open for visitors. */
export function useLogout(): () => Promise<void> {
  const { signOut } = useSession()
  const navigate = useNavigate()
  return async () => {
    await signOut()
    await navigate(paths.login)
  }
}
