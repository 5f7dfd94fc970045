import { DAY_MS } from '../../../server/contract/limits'
import { TESTER_DAYS, testerFieldsSchema, type TesterLink } from '../../../server/contract'
import { dayOf, endOf } from '../../lib/forms/last-day'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useSaveTester } from './use-testers'

interface Values {
  name: string
  channel: string
  /** The last day, as `2026-12-20`, in the time zone of the person. */
  expires_at: string
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

export function useTesterForm({ projectId, saved, onCreated, onChanged }: TesterFormOptions) {
  const { create, change } = useSaveTester(projectId)

  return useApiForm({
    saved: toFormValues(saved),
    schema: testerFieldsSchema,
    toInput: (values) => toFields(values, saved),
    findMistakes: ({ expires_at }) =>
      endOf(expires_at) === undefined ? { expires_at: 'Choose a last day' } : {},
    send: async (fields, { open }) => {
      if (!saved) return onCreated(await create(fields))
      await change(saved.tester_id, open ? { ...fields, password: null } : fields)
      onChanged()
    },
    failed: saved ? 'Failed to change tester link' : 'Failed to create tester link',
  })
}

function toFormValues(saved: TesterLink | undefined): Values {
  const expires_at = dayOf(
    saved?.expires_at ?? new Date(Date.now() + TESTER_DAYS.usual * DAY_MS).toISOString(),
  )
  return {
    name: saved?.name ?? '',
    channel: saved?.channel ?? 'beta',
    expires_at,
    password: '',
    open: false,
  }
}

function toFields(
  { name, channel, expires_at, password, open }: Values,
  saved: TesterLink | undefined,
) {
  // A link that ends during its last day keeps its time, unless the person changes the day.
  const end = saved && expires_at === dayOf(saved.expires_at) ? saved.expires_at : endOf(expires_at)
  return {
    name,
    channel,
    ...(end === undefined ? {} : { expires_at: end }),
    ...(password === '' || open ? {} : { password }),
  }
}
