import { useForm } from '@mantine/form'
import {
  mirrorChoiceSchema,
  mirrorKeyFields,
  type MirrorChoice,
  type MirrorView,
} from '../../../server/contract/host/bucket'
import { failureField, failureText } from '../../lib/client/failure'
import { focusFirstError } from '../../lib/forms/focus-first-error'
import { inBytes, inMegabytes } from '../../lib/forms/megabytes'
import { hostMessages } from '../../lib/texts/host-messages'
import { notifySuccess } from '../../ui/feedback/notify'
import { mirrorWords } from './bucket-words'
import { useMirrorActions, type MirrorInput } from './use-bucket'

type Size = 'least_bytes' | 'bytes_per_second'

/** Form values. Sizes are MB and MB/s; an empty speed means no limit. Keys are empty until a person replaces them. */
type MirrorValues = Omit<MirrorChoice, Size> &
  Record<Size, number | string> & { access_key_id: string; secret_access_key: string }

export type MirrorForm = ReturnType<typeof useMirrorForm>['form']

/** The bucket as a form with the contract's rules. A refusal appears at its field, and nothing typed is lost. */
export function useMirrorForm({ choice, keys_set: hasKeys }: MirrorView, onSaved: () => void) {
  const { settingUp, testing } = useMirrorActions()
  const form = useForm<MirrorValues>({
    mode: 'controlled',
    initialValues: valuesOf(choice),
    // Saved keys are for their endpoint only.
    validate: (values) => mistakesIn(values, hasKeys && endpointIn(values) === choice?.endpoint),
    // A result is about the values that were tested.
    onValuesChange: () => testing.reset(),
  })
  const refuse = (cause: unknown, failed: string) => {
    const field = failureField(cause, fields) ?? 'form'
    form.setFieldError(field, failureText(cause, { failed }))
    focusFirstError(form)({ [field]: true })
  }
  const submit = form.onSubmit(async (values) => {
    try {
      const { mirror } = await settingUp.mutateAsync(asked(values))
      form.setInitialValues(valuesOf(mirror.choice))
      form.reset()
      notifySuccess(hostMessages.host.saved)
      onSaved()
    } catch (cause) {
      refuse(cause, mirrorWords.saveFailed)
    }
  }, focusFirstError(form))
  const test = form.onSubmit((values) => {
    testing.mutate(asked(values), { onError: (cause) => refuse(cause, mirrorWords.testFailed) })
  }, focusFirstError(form))
  return { form, submit, test: () => test(), testing }
}

function valuesOf(choice: MirrorChoice | null): MirrorValues {
  const saved = choice ?? { ...defaults, endpoint: '', bucket: '' }
  return {
    ...saved,
    least_bytes: inMegabytes(saved.least_bytes),
    bytes_per_second: inMegabytes(saved.bytes_per_second),
    access_key_id: '',
    secret_access_key: '',
  }
}

const defaults = mirrorChoiceSchema.omit({ endpoint: true, bucket: true }).parse({})

/** What the host gets: without keys it uses the saved ones. */
function asked({ access_key_id, secret_access_key, ...values }: MirrorValues): MirrorInput {
  const choice = {
    ...values,
    least_bytes: inBytes(values.least_bytes) ?? NaN,
    bytes_per_second: inBytes(values.bytes_per_second),
  }
  return access_key_id === '' ? choice : { ...choice, access_key_id, secret_access_key }
}

const endpointIn = ({ endpoint }: MirrorValues) => mirrorChoiceSchema.shape.endpoint.safeParse(endpoint).data

const missing = { access_key_id: 'Enter the access key ID', secret_access_key: 'Enter the secret access key' }
const keys = ['access_key_id', 'secret_access_key'] as const
const fields = [...Object.keys(mirrorChoiceSchema.shape).filter((name) => name !== 'seconds'), ...keys]

function mistakesIn(values: MirrorValues, mayOmitKeys: boolean): Partial<Record<string, string>> {
  const mistakes: Partial<Record<string, string>> = {}
  const { error } = mirrorChoiceSchema.safeParse(asked(values))
  for (const { path, message } of error?.issues ?? []) mistakes[String(path[0])] ??= message
  const isReplaced = keys.some((name) => values[name] !== '')
  for (const name of keys) {
    const isMissing = values[name] === ''
    if (isMissing && (isReplaced || !mayOmitKeys)) mistakes[name] = missing[name]
    const key = isMissing ? undefined : mirrorKeyFields[name].safeParse(values[name]).error
    if (key) mistakes[name] = key.issues[0]?.message ?? ''
  }
  return mistakes
}
