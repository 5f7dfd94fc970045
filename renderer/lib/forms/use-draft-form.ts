import { useForm } from '@mantine/form'
import { failureField, failureText } from '../client/failure'
import { useDraft } from './draft'
import { focusFirstError } from './focus-first-error'
import { validateBy } from './validate-by'

interface DraftFormOptions<Values> {
  /** Name of the draft that outlives a reload. */
  draft: string
  saved: Values
  schema: Parameters<typeof validateBy>[0]
  /** The values as they are sent: trimmed. */
  clean: (values: Values) => Values
  failed: string
  send: (values: Values) => Promise<unknown>
}

/** A form that keeps what was typed until it is sent, and shows a failure at its field. */
export function useDraftForm<Values extends Record<string, string | boolean>>(options: DraftFormOptions<Values>) {
  const { draft: draftName, saved, schema, clean, failed, send } = options
  const draft = useDraft<Values>(draftName)
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: { ...saved, ...draft.load() },
    validate: validateBy(schema),
    onValuesChange: (values) => (differ(values, saved) ? draft.save(values) : draft.clear()),
  })

  const submit = form.onSubmit(async (values) => {
    if (form.submitting) return
    const cleaned = clean(values)
    try {
      await send(cleaned)
      form.setValues(cleaned)
      draft.clear()
    } catch (cause) {
      form.setFieldError(failureField(cause, Object.keys(saved)) ?? 'form', failureText(cause, { failed }))
    }
  }, focusFirstError(form))

  const reset = () => {
    form.setValues(saved)
    form.clearErrors()
    draft.clear()
  }
  return { form, submit, reset, isChanged: differ(form.values, saved) }
}

const differ = <Values extends object>(values: Values, saved: Values): boolean =>
  Object.keys(saved).some((name) => values[name as keyof Values] !== saved[name as keyof Values])
