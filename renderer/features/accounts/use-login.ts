import { api } from '../../../server/contract'
import { loginForm } from '../../../server/texts/account-texts'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useSession } from '../../lib/session/session'
import { useSignInState } from '../../lib/session/sign-in-state'
import { explainFailure } from '../../lib/client/failure'

export function useLogin() {
  const { signIn } = useSession()
  const { username = '' } = useSignInState()
  return useApiForm({
    saved: { username, password: '' },
    schema: api.accounts.login.input,
    send: signIn,
    failed: explainFailure(loginForm),
  })
}
