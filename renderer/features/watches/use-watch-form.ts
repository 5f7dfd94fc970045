import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { watchFieldsSchema, type Watch } from '../../../server/contract'
import { useClient } from '../../lib/client/client-context'
import { chooseFolder } from '../../lib/browser/desktop'
import { failureField, failureText } from '../../lib/client/failure'
import { focusFirstError } from '../../lib/forms/focus-first-error'
import { hostMessages } from '../../lib/texts/host-messages'
import { queryKeys } from '../../lib/client/query-keys'
import { validateBy } from '../../lib/forms/validate-by'

interface WatchFormOptions {
  projectId: string
  saved: Watch | undefined
  onSaved: () => void
}

export function useWatchForm({ projectId, saved, onSaved }: WatchFormOptions) {
  const client = useClient()
  const cache = useQueryClient()
  const [chosen, setChosen] = useState<{ name: string; path: string }>()
  const form = useForm({ mode: 'controlled', initialValues: valuesOf(saved), validate: validateBy(watchFieldsSchema) })

  const choose = async () => {
    const folder = await chooseFolder().catch(() => null)
    if (!folder) return
    setChosen(folder)
    form.clearFieldError('folder')
  }

  const submit = form.onSubmit(async (values) => {
    if (form.submitting) return
    try {
      if (saved) {
        const folder = chosen === undefined ? {} : { folder: chosen.name }
        await client.watches.change({ id: projectId, watchId: saved.watch_id, ...folder, ...values })
      } else if (chosen) await client.watches.add({ id: projectId, folder: chosen.name, ...values })
      else return form.setFieldError('folder', hostMessages.watch.noFolder)
      await cache.invalidateQueries({ queryKey: queryKeys.watches(projectId) })
      onSaved()
    } catch (cause) {
      const field = failureField(cause, ['folder', 'pattern']) ?? 'form'
      form.setFieldError(field, failureText(cause, { failed: hostMessages.watch.changeFailed }))
    }
  }, focusFirstError(form))

  const isWider = saved?.include_below === false && form.values.include_below
  const isMore = saved === undefined || chosen !== undefined || isWider
  return { form, submit, choose, folder: chosen?.path ?? saved?.folder, isMore }
}

const valuesOf = (saved: Watch | undefined) => ({
  pattern: saved?.pattern ?? '*',
  version_from: saved?.version_from ?? 'package',
  include_below: saved?.include_below ?? false,
  is_public: saved?.is_public ?? false,
  include_existing: false,
})
