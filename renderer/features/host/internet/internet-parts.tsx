import { Button, Loader, Stack, Text } from '@mantine/core'
import {
  IconAlertOctagon,
  IconAlertTriangle,
  IconCheck,
  IconCircle,
  IconCircleDashed,
  IconHelp,
  IconWorld,
} from '@tabler/icons-react'
import type { RefObject } from 'react'
import type { InternetView } from '../../../../server/contract'
import { Time } from '../../../ui/text/time'
import { provedBy, stepTexts } from './internet-words'
import type { Deed, Offer } from './state-words'
import classes from './internet.module.css'
import { isMoving } from './use-internet'

interface StatusLineProps {
  /** Takes the focus when the button that changed the state has gone. */
  ref: RefObject<HTMLParagraphElement | null>
  view: InternetView
  line: string
  reason: string
}

/** The state in one sentence, announced when it changes, and why. A changed server key is an alarm. */
export function StatusLine({ ref, view, line, reason }: StatusLineProps) {
  const isAlarm = view.tunnel?.problem === 'fingerprint_changed'
  const { proof } = view
  return (
    <Stack gap={4} className={isAlarm ? classes.alarm : undefined}>
      <p ref={ref} tabIndex={-1} role={isAlarm ? 'alert' : 'status'} className={classes.line}>
        <StatusMark view={view} />
        <span>{line}</span>
      </p>
      {(reason !== '' || proof !== null) && (
        <Text c="dimmed" maw={720}>
          {reason}
          {proof !== null && (
            <>
              {reason !== '' && ' '}
              {provedBy[proof.by]} <Time value={proof.at} inSentence />.
            </>
          )}
        </Text>
      )}
    </Stack>
  )
}

function StatusMark({ view }: { view: InternetView }) {
  const { state } = view
  if (isMoving(view)) return <Loader size={18} mt={3} aria-hidden />
  if (state === 'open' || state === 'tunnel_open') return <IconWorld size={20} className={classes.good} aria-hidden />
  if (state === 'off' || view.way === 'off') return <IconCircleDashed size={20} className={classes.quiet} aria-hidden />
  if (state === 'unproven') return <IconHelp size={20} className={classes.quiet} aria-hidden />
  if (state === 'tunnel_failed') return <IconAlertOctagon size={20} className={classes.bad} aria-hidden />
  return <IconAlertTriangle size={20} className={classes.warn} aria-hidden />
}

interface OffersProps {
  offers: readonly Offer[]
  /** None of them is urgent. */
  isQuiet: boolean
  isPending: boolean
  act: (deed: Deed) => void
}

export function Offers({ offers, isQuiet, isPending, act }: OffersProps) {
  return offers.map(({ deed, label }, index) => (
    <Button
      key={deed}
      variant={index > 0 || isQuiet ? 'default' : 'filled'}
      aria-haspopup={deed === 'retry' || deed === 'other_port' ? undefined : 'dialog'}
      loading={isPending && index === 0}
      onClick={() => act(deed)}
    >
      {label}
    </Button>
  ))
}

type Step = InternetView['steps'][number]

const stepStates = { waiting: 'Not started', running: 'In progress', done: 'Done', failed: 'Failed' }

/** The steps of opening, with the state of each. */
export function OpeningSteps({ steps }: { steps: readonly Step[] }) {
  return (
    <ol className={classes.list} aria-label="Steps">
      {steps.map(({ step, state }) => (
        <li key={step} data-state={state}>
          <StepMark state={state} />
          {stepTexts[step]}
        </li>
      ))}
    </ol>
  )
}

function StepMark({ state }: { state: Step['state'] }) {
  if (state === 'running') return <Loader size={16} role="img" aria-label={stepStates.running} />
  const Picture = state === 'done' ? IconCheck : state === 'failed' ? IconAlertTriangle : IconCircle
  return <Picture size={18} role="img" aria-label={stepStates[state]} />
}
