import { Button, Group, Stack, Text } from '@mantine/core'
import { useRef, useState, type ComponentProps, type ReactNode, type RefObject } from 'react'
import type { InternetView } from '../../../server/contract'
import type { Remedy } from '../../../server/texts/host/internet-texts'
import { lazyPage } from '../../lib/browser/lazy-page'
import { Lazily } from '../../ui/feedback/lazily'
import { Disclosure } from '../../ui/layout/disclosure'
import { ConnectionChain } from './connection-chain'
import { FactorQuestion } from './factor-question'
import { internetWords, provedBy, says, stepTexts, type Offer } from './internet-words'
import { OpenDetails, OpenLink, OtherTunnels } from './open-details'
import { isMoving, useInternetActions } from './use-internet'
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconCircleDashed,
  IconHelp,
  IconWorld,
} from '@tabler/icons-react'
import { StatusLine } from '../../ui/feedback/status-line'
import { StepList } from '../../ui/feedback/step-list'
import { Time } from '../../ui/text/time'

const NameSettings = lazyPage(() => import('./dialogs/name-settings'), 'NameSettings')
const InternetDialog = lazyPage(() => import('./dialogs/internet-dialog'), 'InternetDialog')

interface InternetStateProps {
  title: ReactNode
  view: InternetView
  isShared: boolean
}

export function InternetState({ title, view, isShared }: InternetStateProps) {
  const status = useRef<HTMLParagraphElement>(null)
  const { dialog, show, close } = useDialog(status)
  const { stop, isStopping, act, isActing } = useDeeds({
    view,
    show,
    onDone: () => status.current?.focus(),
  })

  const { line, reason, offers } = says(view, isShared)
  const isOn = view.way !== 'off'
  const isOpening = view.state === 'opening'

  return (
    <Stack gap="md">
      <Group justify="space-between" wrap="nowrap">
        {title}
        {isOn && (
          <Button variant="default" loading={isStopping} onClick={stop}>
            {isOpening ? 'Cancel' : 'Stop'}
          </Button>
        )}
      </Group>
      <InternetLine ref={status} view={view} line={line} reason={reason} />
      <OpenLink view={view}>
        {offers.length > 0 && (
          <Offers offers={offers} isQuiet={view.state === 'open'} isPending={isActing} act={act} />
        )}
      </OpenLink>
      {isOn && !isOpening && <FactorQuestion />}
      {isOpening && <OpeningSteps steps={view.steps} />}
      {isOn && !isOpening && <ConnectionChain view={view} />}
      <OpenDetails view={view} />
      {!isOn && <OtherTunnels tunnels={view.other_tunnels} />}
      <Disclosure label="Name, certificate and servers">
        <Lazily instead={<NotLoaded />}>
          <NameSettings />
        </Lazily>
      </Disclosure>
      <Lazily instead={<NotLoaded />}>
        {dialog && (
          <InternetDialog
            {...dialog}
            view={view}
            onClose={() => close()}
            onStarted={() => close('started')}
          />
        )}
      </Lazily>
    </Stack>
  )
}

const NotLoaded = () => (
  <Text role="alert" c="dimmed">
    This part could not be loaded. Reload the page.
  </Text>
)

interface Dialog {
  which: 'start' | 'phone' | 'router' | 'tunnel'
  port?: number | undefined
}

interface DeedsOptions {
  view: InternetView
  show: (dialog: Dialog) => void
  onDone: () => void
}

/**
 * The actions of the buttons. Most open a dialog; a retry needs no question, because its terms were
 * accepted before.
 */
function useDeeds({ view, show, onDone }: DeedsOptions) {
  const { opening, closing } = useInternetActions(internetWords.openFailed)
  const { way, other_port: otherPort, registration_open: isRegistrationOpen } = view

  const openAgain = (port: number | null) =>
    opening.mutate(
      {
        way: way === 'tunnel' ? 'tunnel' : 'router',
        terms_accepted: view.terms_accepted,
        keep_registration_open: isRegistrationOpen,
        ...(port !== null && { port }),
      },
      { onSuccess: onDone },
    )

  const act = (remedy: Remedy) => {
    if (remedy === 'retry') return openAgain(null)
    if (remedy === 'start' || remedy === 'by_hand') return show({ which: 'start' })
    if (remedy === 'phone' || remedy === 'router') return show({ which: remedy })
    if (remedy !== 'other_port') return show({ which: 'tunnel' })
    return way === 'off'
      ? show({ which: 'start', port: otherPort ?? undefined })
      : openAgain(otherPort)
  }
  const stop = () => closing.mutate(undefined, { onSuccess: onDone })

  return { act, isActing: opening.isPending, stop, isStopping: closing.isPending }
}

/**
 * One dialog at a time. The focus returns to its button, or to the status line if the button
 * disappeared.
 */
function useDialog(status: RefObject<HTMLElement | null>) {
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const trigger = useRef<Element | null>(null)

  const show = (next: Dialog) => {
    trigger.current = document.activeElement
    setDialog(next)
  }

  const close = (why?: 'started') => {
    setDialog(null)
    const button = trigger.current
    const hasButton = why === undefined && button instanceof HTMLElement && button.isConnected
    ;(hasButton ? button : status.current)?.focus({ preventScroll: true })
  }

  return { dialog, show, close }
}

interface InternetLineProps {
  ref: RefObject<HTMLParagraphElement | null>
  view: InternetView
  line: string
  reason: string
}

/** The state in one sentence, and why. A changed server key is an alarm. */
function InternetLine({ ref, view, line, reason }: InternetLineProps) {
  const { proof } = view

  return (
    <StatusLine
      ref={ref}
      line={line}
      mark={markOf(view)}
      isAlarm={view.tunnel?.problem === 'fingerprint_changed'}
    >
      {(reason !== '' || proof !== null) && (
        <>
          {reason}
          {proof !== null && (
            <>
              {reason !== '' && ' '}
              {provedBy[proof.by]} <Time value={proof.at} inSentence />.
            </>
          )}
        </>
      )}
    </StatusLine>
  )
}

function markOf(view: InternetView): ComponentProps<typeof StatusLine>['mark'] {
  const { state } = view
  if (isMoving(view)) return 'busy'
  if (state === 'open' || state === 'tunnel_open') return { Picture: IconWorld, tone: 'good' }
  if (state === 'off' || view.way === 'off') return { Picture: IconCircleDashed, tone: 'quiet' }
  if (state === 'unproven' && !view.router?.is_silent) return { Picture: IconHelp, tone: 'quiet' }
  if (state === 'tunnel_failed') return { Picture: IconAlertOctagon, tone: 'bad' }
  return { Picture: IconAlertTriangle, tone: 'warn' }
}

interface OffersProps {
  offers: readonly Offer[]
  /** Whether none of them is urgent. */
  isQuiet: boolean
  isPending: boolean
  act: (remedy: Remedy) => void
}

function Offers({ offers, isQuiet, isPending, act }: OffersProps) {
  return offers.map(({ remedy, label }, index) => (
    <Button
      key={remedy}
      variant={index > 0 || isQuiet ? 'default' : 'filled'}
      aria-haspopup={remedy === 'retry' || remedy === 'other_port' ? undefined : 'dialog'}
      loading={isPending && index === 0}
      onClick={() => act(remedy)}
    >
      {label}
    </Button>
  ))
}

/** The steps of opening, with the state of each. */
function OpeningSteps({ steps }: Pick<InternetView, 'steps'>) {
  return <StepList steps={steps.map(({ step, state }) => ({ text: stepTexts[step], state }))} />
}
