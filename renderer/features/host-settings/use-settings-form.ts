import { useState } from 'react'
import type { HostSettings } from '../../../server/contract'
import { ApiError } from '../../lib/client/api-client'
import { useApiForm } from '../../lib/forms/use-api-form'
import { messages } from '../../lib/texts/messages'
import { notifySuccess } from '../../ui/feedback/notify'
import { findChanges, findMistakes, toFormValues, toSettings } from './settings-values'
import { useChangeSettings } from '../../lib/host/host-settings'

export type SettingsForm = ReturnType<typeof useSettingsForm>['form']

/** The settings form. `freePort`: the port that the host suggests if the chosen one is taken. */
export function useSettingsForm(saved: HostSettings) {
  const { mutateAsync } = useChangeSettings()
  const [freePort, setFreePort] = useState<string | number>()
  const form = useApiForm({
    draft: 'host.settings',
    saved: toFormValues(saved),
    schema: async () => (await import('../../../server/contract')).hostSettingsSchema,
    toInput: toSettings,
    findMistakes,
    send: async (settings, values) => {
      setFreePort(undefined)
      try {
        const reply = await mutateAsync(findChanges(settings, values, saved))
        notifySuccess(messages.host.saved)
        return toFormValues(reply.settings)
      } catch (cause) {
        if (cause instanceof ApiError && cause.field === 'port') setFreePort(cause.suggestion)
        throw cause
      }
    },
    failed: messages.host.saveFailed,
  })

  const takeFreePort = () => {
    if (freePort !== undefined) form.setFieldValue('port', freePort)
    setFreePort(undefined)
  }

  return { form, freePort, takeFreePort }
}
