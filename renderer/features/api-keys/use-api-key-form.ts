import { useForm } from '@mantine/form'
import { api, scopes, type Scope } from '../../../server/contract'
import { useDraft } from '../../lib/forms/draft'
import { failureField, failureText } from '../../lib/client/failure'
import { focusFirstError } from '../../lib/forms/focus-first-error'
import { messages } from '../../lib/texts/messages'
import { validateBy } from '../../lib/forms/validate-by'
import { numberIn } from '../../ui/number-field'
import { useCreateApiKey } from './use-api-keys'

type Values = {
  name: string
  days: string
  scopes: Scope[]
  project_id: string | null
}

const blank: Values = { name: '', days: '', scopes: [...scopes], project_id: null }
const check = validateBy(api.apiKeys.create.input)

export function useApiKeyForm(onCreated: (apiKey: string) => void) {
  const create = useCreateApiKey()
  const draft = useDraft<Values>('api-key')
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: { ...blank, ...draft.load() },
    onValuesChange: draft.save,
    validate: (values) => {
      const { expires_days, ...errors } = check(inputOf(values))
      return { ...errors, ...(expires_days === undefined ? {} : { days: expires_days }) }
    },
  })
  const submit = form.onSubmit(async (values) => {
    if (form.submitting) return
    try {
      onCreated(await create(inputOf(values)))
      draft.clear()
    } catch (cause) {
      const field = failureField(cause, Object.keys(blank)) ?? 'form'
      form.setFieldError(field, failureText(cause, { failed: messages.apiKey.createFailed }))
    }
  }, focusFirstError(form))
  return { form, submit, forget: draft.clear }
}

const inputOf = ({ name, days, scopes: chosen, project_id }: Values) => ({
  name,
  expires_days: days === '' ? null : numberIn(days),
  scopes: chosen,
  project_id,
})
