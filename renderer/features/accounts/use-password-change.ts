import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { z } from 'zod'
import { passwordChangeSchema } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { failureField, failureText } from '../../lib/client/failure'
import { focusFirstError } from '../../lib/forms/focus-first-error'
import { messages } from '../../lib/texts/messages'
import { validateBy } from '../../lib/forms/validate-by'
import { notifySuccess } from '../../ui/feedback/notify'
import { unreachableDetail } from './unreachable'

const fields = ['current_password', 'new_password']

/** The contract's rules, plus the repeated password. */
const formSchema = passwordChangeSchema
  .extend({ repetition: z.string() })
  .refine(({ new_password, repetition }) => new_password === repetition, {
    error: messages.account.passwordsDiffer,
    path: ['repetition'],
    when: () => true,
  })

export function usePasswordChange(onDone: () => void) {
  const client = useClient()
  const form = useForm({
    initialValues: { current_password: '', new_password: '', repetition: '' },
    validate: validateBy(formSchema),
  })
  const change = useMutation({
    mutationFn: (passwords: z.input<typeof passwordChangeSchema>) => client.accounts.changePassword(passwords),
    onSuccess: () => {
      onDone()
      notifySuccess(messages.account.passwordChanged)
    },
    onError: (cause) => {
      const field = failureField(cause, fields)
      if (field === undefined) return
      form.setFieldError(field, cause.message)
      form.getInputNode(field)?.focus()
    },
  })
  const { error, isPending } = change
  const failure = error &&
    failureField(error, fields) === undefined && {
      text: failureText(error, { failed: messages.account.passwordChangeFailed }),
      detail: unreachableDetail(error),
    }
  const submit = form.onSubmit(({ current_password, new_password }) => {
    if (!isPending) change.mutate({ current_password, new_password })
  }, focusFirstError(form))
  return { form, submit, pending: isPending, failure }
}
