import { useForm } from '@mantine/form'
import { useEffect, useEffectEvent, useState } from 'react'
import type { HostSettings } from '../../../server/contract'
import { failureField, failureSuggestion, failureText } from '../../lib/client/failure'
import { focusFirstError } from '../../lib/forms/focus-first-error'
import { hostMessages } from '../../lib/texts/host-messages'
import { notifySuccess } from '../../ui/feedback/notify'
import { findChanges, findMistakes, toFormValues, type SettingsValues } from './settings-values'
import { useChangeSettings } from './use-host-settings'

export type SettingsForm = ReturnType<typeof useSettingsForm>['form']

export interface Suggestion {
  value: string | number
  take: () => void
}

/**
 * The settings as a form with the contract's rules. Refusals of the host appear beside their field, and what is saved
 * elsewhere meanwhile in the fields that nobody has edited.
 */
export function useSettingsForm(saved: HostSettings) {
  const { mutateAsync } = useChangeSettings()
  const form = useForm<SettingsValues>({
    mode: 'controlled',
    initialValues: toFormValues(saved),
    validate: findMistakes,
  })
  const follow = useEffectEvent((now: HostSettings) => {
    const edited = Object.entries(form.getValues()).filter(([name]) => form.isDirty(name))
    const fresh = toFormValues(now)
    form.setInitialValues(fresh)
    form.setValues({ ...fresh, ...Object.fromEntries(edited) })
  })
  useEffect(() => follow(saved), [saved])
  const [suggestions, setSuggestions] = useState<Partial<Record<string, Suggestion>>>({})
  const submit = form.onSubmit(async (values) => {
    setSuggestions({})
    try {
      const { settings } = await mutateAsync(findChanges(values, saved))
      form.setInitialValues(toFormValues(settings))
      form.reset()
      notifySuccess(hostMessages.host.saved)
    } catch (cause) {
      const field = failureField(cause, Object.keys(values)) ?? 'form'
      form.setFieldError(field, failureText(cause, { failed: hostMessages.host.saveFailed }))
      const value = failureSuggestion(cause)
      if (value !== undefined) setSuggestions({ [field]: { value, take: () => take(field, value) } })
    }
  }, focusFirstError(form))
  const take = (field: string, value: string | number) => {
    form.setFieldValue(field, value)
    form.clearFieldError(field)
    setSuggestions({})
  }
  return { form, submit, suggestions }
}
