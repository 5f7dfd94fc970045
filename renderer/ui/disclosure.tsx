import { IconChevronRight } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './disclosure.module.css'

/** Something that few readers need, behind a click. */
export function Disclosure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <details className={classes.root}>
      <summary className={classes.label}>
        <IconChevronRight size={16} className={classes.mark} aria-hidden />
        {label}
      </summary>
      <div className={classes.content}>{children}</div>
    </details>
  )
}
