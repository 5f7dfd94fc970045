import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { z } from 'zod'
import { registrationSchema } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { focusFirstError } from '../../lib/forms/focus-first-error'
import { failureField, failureText } from '../../lib/client/failure'
import { messages } from '../../lib/texts/messages'
import { useSession } from '../../lib/session/session'
import { useSignInState } from '../../lib/session/sign-in-state'
import { validateBy } from '../../lib/forms/validate-by'
import { paths } from '../../paths'
import { unreachableDetail } from './unreachable'

const fields = ['username', 'email', 'password']

/** The contract's rules, plus the repeated password. */
const formSchema = registrationSchema
  .extend({ confirmation: z.string() })
  .refine(({ password, confirmation }) => password === confirmation, {
    error: messages.account.passwordsDiffer,
    path: ['confirmation'],
    when: () => true,
  })

export type RegistrationLink = { setup?: string; invite?: string }

export function useRegistration(link: RegistrationLink) {
  const client = useClient()
  const navigate = useNavigate()
  const { from } = useSignInState()
  const { user, signOut } = useSession()
  const form = useForm({
    initialValues: { username: '', email: '', password: '', confirmation: '' },
    validate: validateBy(formSchema),
  })
  const registration = useMutation({
    mutationFn: (account: z.input<typeof registrationSchema>) => client.accounts.register({ ...account, ...link }),
    onSuccess: async (_, { username }) => {
      if (user) await signOut()
      await navigate(paths.login, { state: { from, message: messages.account.registered, username } })
    },
    onError: (cause) => {
      const field = failureField(cause, fields)
      if (field === undefined) return
      form.setFieldError(field, cause.message)
      form.getInputNode(field)?.focus()
    },
  })
  const { error, isPending } = registration
  const failure = error &&
    failureField(error, fields) === undefined && {
      text: failureText(error, {
        failed: messages.account.registrationFailed,
        unreachable: messages.account.registrationError,
      }),
      detail: unreachableDetail(error),
    }
  const submit = form.onSubmit(({ username, email, password }) => {
    if (!isPending) registration.mutate({ username, email, password })
  }, focusFirstError(form))
  return { form, submit, pending: isPending, failure }
}
