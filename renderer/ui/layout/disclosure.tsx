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
  const [wasOpened, setWasOpened] = useState(false)
  const [wasWrong, setWasWrong] = useState(false)
  if (hasMistake && !wasWrong) setWasWrong(true)

  return (
    <details className={classes.root} open={isOpen || wasWrong} onToggle={() => setWasOpened(true)}>
      <summary className={classes.label}>
        <IconChevronRight size={16} className={classes.mark} aria-hidden />
        {label}
      </summary>
      {(wasOpened || isOpen || wasWrong) && <div className={classes.content}>{children}</div>}
    </details>
  )
}
