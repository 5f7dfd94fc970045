import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { InternetView } from '../../../../server/contract'
import { queryKeys } from '../../../lib/client/query-keys'
import { PhoneLink, PhoneWorks, usePhoneLink } from '../../addresses/phone-link'
import { useInternet } from '../use-internet'
import { RouterSteps } from './router-steps'
import { StartForm } from './start-form'
import { TunnelSetup } from './tunnel-setup'

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
