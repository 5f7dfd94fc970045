import { releaseFieldsSchema } from '../../../server/contract'
import { useDraftForm } from '../../lib/forms/use-draft-form'

/** What is typed; an empty channel: the usual one. */
type Values = { version: string; channel: string; notes: string; isDraft: boolean }

interface ReleaseFormOptions {
  draft: string
  saved: Values
  failed: string
  send: (values: Values) => Promise<void>
}

/** The form of a new or an existing release. `problem`: a failure that belongs to no field. */
export function useReleaseForm(options: ReleaseFormOptions) {
  const used = useDraftForm<Values>({
    ...options,
    schema: releaseFieldsSchema,
    clean: (values) => ({ ...values, ...releaseFieldsSchema.parse(values) }),
  })
  return { ...used, problem: used.form.errors['form'] }
}
