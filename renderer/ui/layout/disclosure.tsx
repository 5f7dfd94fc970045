import { IconChevronRight } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import classes from './disclosure.module.css'

interface DisclosureProps {
  label: string
  isOpen?: boolean
  /** Opens the disclosure while a field in it has a mistake. */
  hasMistake?: boolean
  children: ReactNode
}

/** Rarely needed content, rendered when it is first opened. */
export function Disclosure({
  label,
  isOpen = false,
  hasMistake = false,
  children,
}: DisclosureProps) {
  const mustOpen = isOpen || hasMistake
  const [opens, setOpens] = useState(mustOpen)
  const [hadToOpen, setHadToOpen] = useState(mustOpen)
  const [wasOpened, setWasOpened] = useState(mustOpen)
  if (opens && !wasOpened) setWasOpened(true)
  if (mustOpen !== hadToOpen) {
    setHadToOpen(mustOpen)
    if (mustOpen) setOpens(true)
  }

  return (
    <details
      className={classes.root}
      open={opens}
      onToggle={({ currentTarget }) => setOpens(currentTarget.open)}
    >
      <summary className={classes.label}>
        <IconChevronRight size={16} className={classes.mark} aria-hidden />
        {label}
      </summary>
      {wasOpened && <div className={classes.content}>{children}</div>}
    </details>
  )
}
