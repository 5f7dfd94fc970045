import { useNavigate } from 'react-router-dom'
import { whatWouldBeLost } from '../../lib/session/leaving'
import { messages } from '../../lib/texts/messages'
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
  const { logout, logoutAnyway } = messages.account
  return confirm({ title: logout, message: loss, confirmLabel: logoutAnyway, danger: true })
}
