import { api } from '../../../server/contract'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useSession } from '../../lib/session/session'
import { useSignInState } from '../../lib/session/sign-in-state'
import { explainFailure } from './unreachable'

export function useLogin() {
  const { signIn } = useSession()
  const { username = '' } = useSignInState()
  return useApiForm({
    saved: { username, password: '' },
    schema: api.accounts.login.input,
    send: signIn,
    failed: explainFailure({ failed: 'Login failed', unreachable: 'An error occurred during login' }),
  })
}
