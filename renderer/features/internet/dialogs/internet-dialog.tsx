import { Modal } from '@mantine/core'
import { useState } from 'react'
import {
  hostSettingsSchema,
  type HostSettings,
  type InternetView,
} from '../../../../server/contract'
import { queryKeys } from '../../../lib/client/query-keys'
import { PhoneLink, PhoneWorks, usePhoneLink } from '../../addresses/phone-link'
import { useInternet, useInternetActions } from '../use-internet'
import { RouterSteps } from './router-steps'
import { TunnelSetup } from './tunnel-setup'
import { internetSettings } from '../../../../server/contract/host-settings/internet'
import { useApiForm } from '../../../lib/forms/use-api-form'
import { FormFrame } from '../../../ui/form-frame'
import { Disclosure } from '../../../ui/layout/disclosure'
import { NumberField, numberIn } from '../../../ui/number-field'
import { useHostSettings } from '../../../lib/host/host-settings'
import { Consent, noTerms, type Terms } from './consent'
import { internetWords } from '../internet-words'

/** The proof changes neither state nor link, so the activity stream does not report it. */
const LOOK_EVERY_MS = 2000

interface InternetDialogProps {
  which: 'start' | 'phone' | 'router' | 'tunnel'
  /** The port to ask for; undefined: the one of the settings. */
  port?: number | undefined
  view: InternetView
  onClose: () => void
  /** Opening has started. */
  onStarted: () => void
}

const titles = {
  start: 'Make links work anywhere',
  phone: 'Test with your phone',
  router: 'Open the port in your router',
  tunnel: 'Use a tunnel through your own server',
}

/** The dialogs of the card. They load when the first one opens. */
export function InternetDialog({ which, port, view, onClose, onStarted }: InternetDialogProps) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={titles[which]}
      size={which === 'phone' ? 'sm' : 'lg'}
      returnFocus={false}
    >
      {which === 'start' && (
        <StartForm view={view} port={port} onStarted={onStarted} onClose={onClose} />
      )}
      {which === 'phone' && <PhoneTest view={view} onClose={onClose} />}
      {which === 'router' && <RouterSteps view={view} />}
      {which === 'tunnel' && <TunnelSetup view={view} onStarted={onStarted} onClose={onClose} />}
    </Modal>
  )
}

/** A QR code with a one-time link. The result appears here when the phone has opened it. */
function PhoneTest({ view, onClose }: { view: InternetView; onClose: () => void }) {
  useInternet(LOOK_EVERY_MS)
  const works = usePhoneProof(view)
  const link = usePhoneLink(queryKeys.phoneTest, (client) => client.internet.phoneTest({}))

  if (works)
    return (
      <PhoneWorks onClose={onClose}>
        Your phone reached this host from outside. Links work anywhere.
      </PhoneWorks>
    )

  return (
    <PhoneLink
      link={link}
      steps={['Turn off Wi-Fi on your phone.', 'Scan the code with its camera, and open the link.']}
    />
  )
}

/** Whether a phone has arrived since the dialog opened. */
function usePhoneProof({ proof }: InternetView): boolean {
  const [before] = useState(proof?.at)
  const [works, setWorks] = useState(false)
  const isNew = proof?.by === 'phone' && proof.at !== before
  // A later visitor replaces the proof, and the phone has still arrived.
  if (isNew && !works) setWorks(true)
  return works || isNew
}

interface StartFormProps {
  view: InternetView
  port: number | undefined
  onStarted: () => void
  onClose: () => void
}

function StartForm(props: StartFormProps) {
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
