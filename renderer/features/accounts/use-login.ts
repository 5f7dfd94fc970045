import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../../server/contract'
import { failureText } from '../../lib/client/failure'
import { focusFirstError } from '../../lib/forms/focus-first-error'
import { messages } from '../../lib/texts/messages'
import { useSession } from '../../lib/session/session'
import { useSignInState } from '../../lib/session/sign-in-state'
import { validateBy } from '../../lib/forms/validate-by'
import { unreachableDetail } from './unreachable'

export function useLogin() {
  const { signIn } = useSession()
  const { username = '' } = useSignInState()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { username, password: '' },
    validate: validateBy(api.accounts.login.input),
  })
  const login = useMutation({ mutationFn: signIn })
  const failure = login.error && {
    text: failureText(login.error, { failed: messages.account.loginFailed, unreachable: messages.account.loginError }),
    detail: unreachableDetail(login.error),
  }
  const submit = form.onSubmit((credentials) => {
    if (!login.isPending) login.mutate(credentials)
  }, focusFirstError(form))
  return { form, submit, pending: login.isPending, failure }
}
