import { NavLink } from 'react-router-dom'
import classes from './link-tabs.module.css'

interface LinkTabsProps {
  /** What the tabs are parts of: 'Project'. */
  label: string
  tabs: readonly { to: string; text: string; count?: number }[]
}

/** Tabs with an address each; marks the open one. */
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
