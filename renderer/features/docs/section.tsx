import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './docs.module.css'

interface SectionProps {
  anchor: string
  title: string
  /** Sections of calls are one level below those of the guide. */
  order?: 2 | 3
  code?: ReactNode
  children: ReactNode
}

export function Section({ anchor, title, order = 2, code, children }: SectionProps) {
  return (
    <section
      id={anchor}
      aria-labelledby={`${anchor}-title`}
      className={classes.section}
      data-order={order}
    >
      <div className={classes.prose}>
        <Title order={order} id={`${anchor}-title`} className={classes.sectionTitle}>
          {title}
          <a href={`#${anchor}`} className={classes.anchor} aria-label={`Link to “${title}”`}>
            #
          </a>
        </Title>
        {children}
      </div>
      {code !== undefined && <div className={classes.side}>{code}</div>}
    </section>
  )
}
