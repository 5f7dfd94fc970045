import { NavLink } from 'react-router-dom'
import classes from './link-tabs.module.css'

export interface LinkTabsProps {
  label: string
  /** `hasOpenPage`: a page below the tab's own is open. */
  tabs: readonly { to: string; text: string; count?: number; hasOpenPage?: boolean }[]
}

export function LinkTabs({ label, tabs }: LinkTabsProps) {
  return (
    <nav aria-label={label} className={classes.tabs}>
      {tabs.map(({ to, text, count, hasOpenPage }) => (
        <NavLink
          key={to}
          to={to}
          end
          className={() => classes.tab}
          data-open={hasOpenPage || undefined}
        >
          {text}
          {count !== undefined && <span className={classes.count}>{count}</span>}
        </NavLink>
      ))}
    </nav>
  )
}
