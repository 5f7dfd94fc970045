import { IconChevronRight } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import classes from './disclosure.module.css'

/** Rarely needed content, rendered when it is first opened. */
export function Disclosure({ label, children }: { label: string; children: ReactNode }) {
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <details className={classes.root} onToggle={() => setWasOpened(true)}>
      <summary className={classes.label}>
        <IconChevronRight size={16} className={classes.mark} aria-hidden />
        {label}
      </summary>
      {wasOpened && <div className={classes.content}>{children}</div>}
    </details>
  )
}
