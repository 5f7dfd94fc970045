import { Loader } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MarkedItem, MarkedList } from '../layout/marked-list'

interface Step {
  text: string
  state: keyof typeof stepStates
  /** Below the text: why it failed. */
  note?: ReactNode
}

const stepStates = {
  waiting: 'Not started',
  running: 'In progress',
  done: 'Done',
  failed: 'Failed',
}

const pictures = {
  waiting: { Picture: IconCircle, color: 'currentcolor' },
  done: { Picture: IconCheck, color: 'var(--accent-text)' },
  failed: { Picture: IconAlertTriangle, color: 'var(--mantine-color-error)' },
}

/** The steps of an action, with the state of each. */
export function StepList({ steps }: { steps: readonly Step[] }) {
  return (
    <MarkedList label="Steps" isOrdered>
      {steps.map(({ text, state, note }) => (
        <MarkedItem key={text} mark={<StepMark state={state} />}>
          {text}
          {note}
        </MarkedItem>
      ))}
    </MarkedList>
  )
}

function StepMark({ state }: Pick<Step, 'state'>) {
  if (state === 'running') return <Loader size={16} role="img" aria-label={stepStates.running} />
  const { Picture, color } = pictures[state]
  return <Picture size={18} color={color} role="img" aria-label={stepStates[state]} />
}
