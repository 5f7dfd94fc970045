import { Button, Group, Stack } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import type { HostSettings, InternetView } from '../../../../server/contract'
import { internetSettings } from '../../../../server/contract/host-settings/internet'
import { failureText } from '../../../lib/client/failure'
import { FormAlert } from '../../../ui/feedback/form-alert'
import { Disclosure } from '../../../ui/layout/disclosure'
import { NumberField, numberIn } from '../../../ui/number-field'
import { useHostSettings } from '../../host-settings/use-host-settings'
import { Consent, type Terms } from './consent'
import { internetWords } from '../internet-words'
import { useInternetActions } from '../use-internet'

interface StartFormProps {
  view: InternetView
  port: number | undefined
  onStarted: () => void
  onClose: () => void
}

export function StartForm(props: StartFormProps) {
  const settings = useHostSettings().data?.settings
  return settings && <LoadedForm {...props} settings={settings} />
}

/** Asks once for everything that opening needs. */
function LoadedForm({ view, port, settings, onStarted, onClose }: StartFormProps & { settings: HostSettings }) {
  const { opening, isBusy } = useInternetActions()
  const [terms, setTerms] = useState<Terms>({ isAccepted: false, keepsRegistration: false })
  const [typed, setTyped] = useState(String(port ?? settings.internet_port))
  const isAccepted = view.terms_accepted || terms.isAccepted
  const { data: chosen, error } = internetSettings.internet_port.schema.safeParse(numberIn(typed))
  const { label, help } = internetSettings.internet_port
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!isAccepted || chosen === undefined || isBusy) return
    const choice = { way: 'router', terms_accepted: isAccepted, port: chosen } as const
    opening.mutate({ ...choice, keep_registration_open: terms.keepsRegistration }, { onSuccess: onStarted })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {opening.error && <FormAlert text={failureText(opening.error, { failed: internetWords.openFailed })} />}
        <Consent way="router" view={view} settings={settings} port={typed} terms={terms} onChange={setTerms} />
        <Disclosure label="Use another port">
          <NumberField
            label={label}
            description={help}
            value={typed}
            error={error?.issues[0]?.message}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
          />
        </Disclosure>
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!isAccepted || chosen === undefined} loading={isBusy}>
            Start
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
