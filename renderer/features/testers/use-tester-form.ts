import { useForm } from '@mantine/form'
import { TESTER_DAYS, testerFieldsSchema, type TesterLink } from '../../../server/contract'
import { failureField, failureText } from '../../lib/client/failure'
import { focusFirstError } from '../../lib/forms/focus-first-error'
import { validateBy } from '../../lib/forms/validate-by'
import { messages } from '../../lib/texts/messages'
import { useSaveTester } from './use-testers'

interface Values {
  name: string
  channel: string
  /** The last day, as `2026-12-20`, in the time zone of the person. */
  until: string
  /** Empty: none, or as it was. */
  password: string
  /** Removes the password of a saved link. */
  open: boolean
}

interface TesterFormOptions {
  projectId: string
  /** Undefined: a new link. */
  saved: TesterLink | undefined
  onCreated: (path: string) => void
  onChanged: () => void
}

const check = validateBy(testerFieldsSchema)

export function useTesterForm({ projectId, saved, onCreated, onChanged }: TesterFormOptions) {
  const { create, change } = useSaveTester(projectId)
  const form = useForm<Values>({
    mode: 'controlled',
    initialValues: valuesOf(saved),
    validate: (values) => {
      const { expires_at: until, ...errors } = check(fieldsOf(values, saved))
      return { ...errors, ...(until === undefined && values.until !== '' ? {} : { until: messages.tester.noEnd }) }
    },
  })
  const submit = form.onSubmit(async (values) => {
    if (form.submitting) return
    const fields = fieldsOf(values, saved)
    try {
      if (!saved) return onCreated(await create(fields))
      await change(saved.tester_id, values.open ? { ...fields, password: null } : fields)
      onChanged()
    } catch (cause) {
      const field = failureField(cause, ['name', 'channel', 'expires_at', 'password']) ?? 'form'
      const failed = saved ? messages.tester.changeFailed : messages.tester.createFailed
      form.setFieldError(field === 'expires_at' ? 'until' : field, failureText(cause, { failed }))
    }
  }, focusFirstError(form))
  return { form, submit }
}

const DAY = 86_400_000

function valuesOf(saved: TesterLink | undefined): Values {
  const until = dayOf(saved?.expires_at ?? new Date(Date.now() + TESTER_DAYS.usual * DAY).toISOString())
  return { name: saved?.name ?? '', channel: saved?.channel ?? 'beta', until, password: '', open: false }
}

function fieldsOf({ name, channel, until, password, open }: Values, saved: TesterLink | undefined) {
  // A link that ends during its last day keeps its time, unless the person changes the day.
  const end = saved && until === dayOf(saved.expires_at) ? saved.expires_at : endOf(until)
  return {
    name,
    channel,
    ...(end === undefined ? {} : { expires_at: end }),
    ...(password === '' || open ? {} : { password }),
  }
}

/** The local day of a time, as a date field has it. */
export function dayOf(iso: string): string {
  const date = new Date(iso)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part) => String(part).padStart(2, '0')).join('-')
}

/** The last moment of a local day; undefined: no day. */
function endOf(day: string): string | undefined {
  const end = new Date(`${day}T23:59:59.999`)
  return Number.isNaN(end.getTime()) ? undefined : end.toISOString()
}
