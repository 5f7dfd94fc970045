import { releaseFieldsSchema } from '../../../server/contract'
import { useApiForm } from '../../lib/forms/use-api-form'

/** Typed values; an empty channel means the default. */
type Values = { version: string; channel: string; notes: string; isDraft: boolean }

interface ReleaseFormOptions {
  draft: string
  saved: Values
  failed: string
  send: (values: Values) => Promise<void>
}

/** The form of a new or an existing release. */
export const useReleaseForm = ({ send, ...options }: ReleaseFormOptions) =>
  useApiForm({
    ...options,
    schema: releaseFieldsSchema,
    send: (fields, { isDraft }) => send({ ...fields, isDraft }),
  })
