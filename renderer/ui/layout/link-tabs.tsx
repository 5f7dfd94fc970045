import { NavLink } from 'react-router-dom'
import classes from './link-tabs.module.css'

export interface LinkTabsProps {
  label: string
  tabs: readonly { to: string; text: string; count?: number }[]
}

export function LinkTabs({ label, tabs }: LinkTabsProps) {
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ to, text, count }) => (
        <NavLink key={to} to={to} end className={() => classes.tab}>
          {text}
          {count !== undefined && <span className={classes.count}>{count}</span>}
        </NavLink>
      ))}
    </nav>
  )
}
