import { IconChevronRight } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import classes from './disclosure.module.css'

interface DisclosureProps {
  label: string
  /** Opens it, for example for a mistake inside. */
  isOpen?: boolean
  children: ReactNode
}

/** Rarely needed content, rendered when it is first opened. */
export function Disclosure({ label, isOpen = false, children }: DisclosureProps) {
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <details className={classes.root} open={isOpen} onToggle={() => setWasOpened(true)}>
      <summary className={classes.label}>
        <IconChevronRight size={16} className={classes.mark} aria-hidden />
        {label}
      </summary>
      {(wasOpened || isOpen) && <div className={classes.content}>{children}</div>}
    </details>
  )
}
