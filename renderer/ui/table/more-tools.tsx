import { ActionIcon } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useIsPhone } from './use-is-phone'

interface MoreToolsProps {
  label?: string
  /** Whether one of them is in use. */
  isUsed: boolean
  children: ReactNode
}

/** Search and order of a list. A phone folds them behind a button, so that one row remains. */
export function MoreTools({ label = 'Search and sort', isUsed, children }: MoreToolsProps) {
  const [isOpen, setOpen] = useState(isUsed)
  if (!useIsPhone()) return children

  return (
    <>
      <ActionIcon
        variant={isOpen ? 'light' : 'default'}
        size={36}
        ml="auto"
        aria-label={label}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <IconAdjustmentsHorizontal size={18} />
      </ActionIcon>
      {isOpen && children}
    </>
  )
}
