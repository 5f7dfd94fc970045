import { useQueryClient } from '@tanstack/react-query'
import { watchFieldsSchema, type Watch } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { chooseFolder } from '../../lib/browser/desktop'
import { useApiForm } from '../../lib/forms/use-api-form'
import { messages } from '../../lib/texts/messages'
import { refresh } from '../../lib/client/query-client'
import { queryKeys } from '../../lib/client/query-keys'

interface WatchFormOptions {
  projectId: string
  saved: Watch | undefined
  onSaved: () => void
}

export function useWatchForm({ projectId, saved, onSaved }: WatchFormOptions) {
  const client = useClient()
  const cache = useQueryClient()
  const form = useApiForm({
    saved: toFormValues(saved),
    schema: watchFieldsSchema,
    findMistakes: ({ folder }) => (saved || folder ? {} : { folder: 'Choose a folder first' }),
    send: async (fields, { folder }) => {
      const chosen = folder && { folder: folder.name }
      if (saved)
        await client.watches.change({
          id: projectId,
          watchId: saved.watch_id,
          ...chosen,
          ...fields,
        })
      else if (chosen) await client.watches.add({ id: projectId, ...chosen, ...fields })

      await refresh(cache, queryKeys.watches(projectId))
      onSaved()
    },
    failed: messages.watch.changeFailed,
  })

  const { folder, include_below } = form.values

  const choose = async () => {
    const picked = await chooseFolder().catch(() => null)
    if (picked) form.setFieldValue('folder', picked)
  }

  const isWider = saved?.include_below === false && include_below
  const isMore = saved === undefined || folder !== null || isWider
  return { form, choose, folder: folder?.path ?? saved?.folder, isMore }
}

const toFormValues = (saved: Watch | undefined) => ({
  folder: null as Awaited<ReturnType<typeof chooseFolder>>,
  pattern: saved?.pattern ?? '*',
  version_from: saved?.version_from ?? 'package',
  include_below: saved?.include_below ?? false,
  is_public: saved?.is_public ?? false,
  include_existing: false,
})
