import { useNavigate } from 'react-router-dom'
import { whatWouldBeLost } from '../../lib/session/leaving'
import { useSession } from '../../lib/session/session'
import { paths } from '../../paths'
import { confirm } from '../../ui/dialog/confirm'

export function useLogout(): () => Promise<void> {
  const { signOut } = useSession()
  const navigate = useNavigate()
  return async () => {
    if (!(await mayLeave())) return
    await signOut()
    await navigate(paths.login)
  }
}

async function mayLeave(): Promise<boolean> {
  const loss = whatWouldBeLost()
  if (loss === undefined) return true
  return confirm({ title: 'Log out', message: loss, confirmLabel: 'Log out anyway', danger: true })
}
