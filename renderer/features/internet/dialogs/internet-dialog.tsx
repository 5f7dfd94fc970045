import { Modal } from '@mantine/core'
import type { InternetView } from '../../../../server/contract'
import { PhoneTest } from './phone-test'
import { RouterSteps } from './router-steps'
import { StartForm } from './start-form'
import { TunnelSetup } from './tunnel-setup'

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
    <Modal opened onClose={onClose} title={titles[which]} size={which === 'phone' ? 'sm' : 'lg'} returnFocus={false}>
      {which === 'start' && <StartForm view={view} port={port} onStarted={onStarted} onClose={onClose} />}
      {which === 'phone' && <PhoneTest view={view} onClose={onClose} />}
      {which === 'router' && <RouterSteps view={view} />}
      {which === 'tunnel' && <TunnelSetup view={view} onStarted={onStarted} onClose={onClose} />}
    </Modal>
  )
}
