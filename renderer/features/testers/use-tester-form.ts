import { TESTER_DAYS, testerFieldsSchema, type TesterLink } from '../../../server/contract'
import { DAY_MS } from '../../../server/contract/limits'
import { dayOf } from '../../lib/forms/last-day'
import { useLinkForm } from '../access-links/link-fields'
import { useSaveTester } from './use-testers'

interface TesterFormOptions {
  projectId: string
  /** Undefined: a new link. */
  saved: TesterLink | undefined
  onCreated: (path: string) => void
  onChanged: () => void
}

export function useTesterForm({ projectId, saved, onCreated, onChanged }: TesterFormOptions) {
  const { create, change } = useSaveTester(projectId)

  return useLinkForm({
    saved,
    extra: {
      channel: saved?.channel ?? 'beta',
      end: 'date' as const,
      expires_at: dayOf(saved?.expires_at ?? usualEnd()),
    },
    toExtra: ({ channel }) => ({ channel }),
    schema: testerFieldsSchema,
    create: async (fields) => onCreated(await create(fields)),
    change: async (fields, removed) => {
      await change(saved?.tester_id ?? '', { ...fields, ...removed })
      onChanged()
    },
  })
}

const usualEnd = () => new Date(Date.now() + TESTER_DAYS.usual * DAY_MS).toISOString()
