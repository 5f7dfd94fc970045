import {
  bucketChoiceSchema,
  bucketKeyFields,
  type BucketChoice,
  type BucketView,
} from '../../../server/contract/host/bucket'
import { inBytes, inMegabytes } from '../../lib/forms/megabytes'
import { useApiForm } from '../../lib/forms/use-api-form'
import { messages } from '../../lib/texts/messages'
import { notifySuccess } from '../../ui/feedback/notify'
import { useBucketSetup, type BucketInput } from './use-bucket'

type Size = 'least_bytes' | 'bytes_per_second'

/**
 * Form values. Sizes are MB and MB/s; an empty speed means no limit. Keys are empty until a person
 * replaces them.
 */
type BucketValues = Omit<BucketChoice, Size> &
  Record<Size, number | string> & { access_key_id: string; secret_access_key: string }

export type BucketForm = ReturnType<typeof useBucketForm>['form']

/** The bucket as a form. */
export function useBucketForm({ choice, keys_set: hasKeys }: BucketView, onSaved: () => void) {
  const { settingUp, testing } = useBucketSetup()
  const form = useApiForm({
    saved: toFormValues(choice),
    schema: bucketChoiceSchema,
    toInput,
    // Saved keys are for their endpoint only.
    findMistakes: (values) =>
      findKeyMistakes(values, hasKeys && endpointIn(values) === choice?.endpoint),
    send: async (_, values) => {
      const { mirror } = await settingUp.mutateAsync(toInput(values))
      notifySuccess(messages.host.saved)
      onSaved()
      return toFormValues(mirror.choice)
    },
    failed: 'Failed to save the bucket',
    // A result is about the values that were tested.
    onEdit: () => testing.reset(),
  })

  const test = () => {
    if (!form.check()) return
    testing.mutate(toInput(form.values), {
      onError: (cause) => form.refuse(cause, 'Failed to test the bucket'),
    })
  }

  return { form, test, testing }
}

function toFormValues(choice: BucketChoice | null): BucketValues {
  const saved = choice ?? { ...defaults, endpoint: '', bucket: '' }
  return {
    ...saved,
    least_bytes: inMegabytes(saved.least_bytes),
    bytes_per_second: inMegabytes(saved.bytes_per_second),
    access_key_id: '',
    secret_access_key: '',
  }
}

const defaults = bucketChoiceSchema.omit({ endpoint: true, bucket: true }).parse({})

/** Converts the form to the request. Without keys, the host uses the saved ones. */
function toInput({ access_key_id, secret_access_key, ...values }: BucketValues): BucketInput {
  const choice = {
    ...values,
    least_bytes: inBytes(values.least_bytes) ?? NaN,
    bytes_per_second: inBytes(values.bytes_per_second),
  }
  return access_key_id === '' ? choice : { ...choice, access_key_id, secret_access_key }
}

const endpointIn = ({ endpoint }: BucketValues) =>
  bucketChoiceSchema.shape.endpoint.safeParse(endpoint).data

const missing = {
  access_key_id: 'Enter the access key ID',
  secret_access_key: 'Enter the secret access key',
}
const keys = ['access_key_id', 'secret_access_key'] as const

function findKeyMistakes(
  values: BucketValues,
  mayOmitKeys: boolean,
): Partial<Record<string, string>> {
  const mistakes: Partial<Record<string, string>> = {}
  const isReplaced = keys.some((name) => values[name] !== '')
  for (const name of keys) {
    const isMissing = values[name] === ''
    if (isMissing && (isReplaced || !mayOmitKeys)) mistakes[name] = missing[name]
    const key = isMissing ? undefined : bucketKeyFields[name].safeParse(values[name]).error
    if (key) mistakes[name] = key.issues[0]?.message ?? ''
  }
  return mistakes
}
