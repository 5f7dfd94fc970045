import {
  hostSettingsSchema,
  type HostSettings,
  type InternetView,
} from '../../../../server/contract'
import { internetSettings } from '../../../../server/contract/host-settings/internet'
import { useApiForm } from '../../../lib/forms/use-api-form'
import { FormFrame } from '../../../ui/form-frame'
import { Disclosure } from '../../../ui/layout/disclosure'
import { NumberField, numberIn } from '../../../ui/number-field'
import { useHostSettings } from '../../../lib/host/host-settings'
import { Consent, noTerms, type Terms } from './consent'
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
function LoadedForm({
  view,
  port,
  settings,
  onStarted,
  onClose,
}: StartFormProps & { settings: HostSettings }) {
  const { opening, isBusy } = useInternetActions()

  const { label, help } = internetSettings.internet_port
  const mayStart = ({ isAccepted }: Terms) => view.terms_accepted || isAccepted
  const form = useApiForm({
    saved: { internet_port: String(port ?? settings.internet_port), terms: noTerms },
    schema: hostSettingsSchema.pick({ internet_port: true }),
    toInput: ({ internet_port: typed }) => ({ internet_port: numberIn(typed) }),
    send: async ({ internet_port: chosen }, { terms }) => {
      const choice = { way: 'router', terms_accepted: mayStart(terms), port: chosen } as const
      await opening.mutateAsync({ ...choice, keep_registration_open: terms.keepsRegistration })
      onStarted()
    },
    failed: internetWords.openFailed,
  })

  const { internet_port: typed, terms } = form.values

  return (
    <FormFrame
      form={form}
      submit="Start"
      button={{ disabled: !mayStart(terms), loading: isBusy }}
      onCancel={onClose}
    >
      <Consent
        way="router"
        view={view}
        settings={settings}
        port={typed}
        terms={terms}
        onChange={(changed) => form.setFieldValue('terms', changed)}
      />
      <Disclosure label="Use another port" hasMistake={form.errors.internet_port !== undefined}>
        <NumberField label={label} description={help} {...form.getInputProps('internet_port')} />
      </Disclosure>
    </FormFrame>
  )
}
