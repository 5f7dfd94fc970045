import { useDebouncedValue } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { KEEP_MAX, type RetainedChannel } from '../../../server/contract'
import { retentionText } from '../../../server/texts/files/retention-texts'
import { useClient } from '../../lib/client/client-context'
import { fileLists, queryKeys } from '../../lib/client/query-keys'
import { refresh } from '../../lib/client/query-client'
import { useLoad } from '../../lib/client/use-load'
import { useApiForm } from '../../lib/forms/use-api-form'
import { notifySuccess } from '../../ui/feedback/notify'
import { numberIn } from '../../ui/number-field'

/** How long typing rests before the preview is asked for, in ms. */
const REST_MS = 300
const MISTAKE = `Choose 1 to ${KEEP_MAX} releases`

interface Values {
  mode: 'all' | 'last'
  count: number | string
}

/** The number to keep; null: all; undefined: none that the host takes. */
function readKeep({ mode, count }: Values): number | null | undefined {
  if (mode === 'all') return null
  const number = numberIn(count)
  return Number.isInteger(number) && number >= 1 && number <= KEEP_MAX ? number : undefined
}

/** The form for how many releases a channel keeps, with its preview. */
export function useRetentionForm(
  projectId: string,
  { channel, keep }: RetainedChannel,
  onDone: () => void,
) {
  const client = useClient()
  const cache = useQueryClient()
  const form = useApiForm<Values>({
    saved: { mode: keep === null ? 'all' : 'last', count: keep ?? 10 },
    findMistakes: (values) => (readKeep(values) === undefined ? { count: MISTAKE } : {}),
    send: async (values) => {
      const plan = await client.retention.update({
        id: projectId,
        channel,
        keep: readKeep(values) ?? null,
      })
      await Promise.all([...fileLists, queryKeys.trash].map((key) => refresh(cache, key)))
      notifySuccess(retentionText(plan))
      onDone()
    },
    failed: 'The limit could not be saved',
  })

  const number = readKeep(form.values)
  const [rested] = useDebouncedValue(number, REST_MS)
  const preview = useLoad(
    [...queryKeys.projects.all, 'retention preview', projectId, channel, rested],
    (api, signal) => api.retention.preview({ id: projectId, channel, keep: rested ?? 1 }, signal),
    { enabled: typeof rested === 'number', gcTime: 0 },
  )

  return {
    form,
    preview,
    isLast: number !== null,
    mistake: number === undefined ? MISTAKE : undefined,
    /** Preview for the number in the field; undefined: not loaded yet. */
    plan: rested === number ? preview.data : undefined,
  }
}
