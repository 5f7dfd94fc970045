import { Card } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import classes from './link-card.module.css'

interface LinkCardProps {
  to: string
  title: string
  subtitle: ReactNode
  picture: ReactNode
  /** At most two lines are shown; '' leaves no gap. */
  text: string
  footer: ReactNode
}

export function LinkCard({ to, title, subtitle, picture, text, footer }: LinkCardProps) {
  return (
    <Card component="article" className={classes.card}>
      <div className={classes.head}>
        {picture}
        <div className={classes.names}>
          <h3 className={classes.title}>
            <Link to={to} className={classes.link} title={title}>
              <bdi>{title}</bdi>
            </Link>
          </h3>
          <div className={classes.subtitle}>{subtitle}</div>
        </div>
      </div>
      {text !== '' && <p className={classes.text}>{text}</p>}
      <div className={classes.footer}>{footer}</div>
    </Card>
  )
}
