import { Button } from '@mantine/core'
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconCircleDashed,
  IconHelp,
  IconWorld,
} from '@tabler/icons-react'
import type { ComponentProps, RefObject } from 'react'
import type { InternetView } from '../../../server/contract'
import type { Remedy } from '../../../server/texts/host/internet-texts'
import { StatusLine } from '../../ui/feedback/status-line'
import { StepList } from '../../ui/feedback/step-list'
import { Time } from '../../ui/text/time'
import { provedBy, stepTexts, type Offer } from './internet-words'
import { isMoving } from './use-internet'

interface InternetLineProps {
  ref: RefObject<HTMLParagraphElement | null>
  view: InternetView
  line: string
  reason: string
}

/** The state in one sentence, and why. A changed server key is an alarm. */
export function InternetLine({ ref, view, line, reason }: InternetLineProps) {
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

export function Offers({ offers, isQuiet, isPending, act }: OffersProps) {
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
export function OpeningSteps({ steps }: Pick<InternetView, 'steps'>) {
  return <StepList steps={steps.map(({ step, state }) => ({ text: stepTexts[step], state }))} />
}
