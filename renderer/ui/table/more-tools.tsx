import { ActionIcon } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useIsPhone } from './use-is-phone'

/** Lists of up to this many items need no search and no order. */
const SHORT = 8

/** Whether a list needs its tools. Stays true, because a search makes the list short. */
export function useNeedsTools(total: number, isUsed: boolean): boolean {
  const [wasNeeded, setWasNeeded] = useState(false)
  const isNeeded = wasNeeded || isUsed || total > SHORT
  if (isNeeded && !wasNeeded) setWasNeeded(true)
  return isNeeded
}

interface MoreToolsProps {
  /** Whether one of them is in use. */
  isUsed: boolean
  children: ReactNode
}

/** Search and order of a list. A phone folds them behind a button, so that one row remains. */
export function MoreTools({ isUsed, children }: MoreToolsProps) {
  const [isOpen, setOpen] = useState(isUsed)
  if (!useIsPhone()) return children

  return (
    <>
      <ActionIcon
        variant={isOpen ? 'light' : 'default'}
        size={36}
        ml="auto"
        aria-label="Search and sort"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <IconAdjustmentsHorizontal size={18} />
      </ActionIcon>
      {isOpen && children}
    </>
  )
}
