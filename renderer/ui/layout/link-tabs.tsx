import { useEffect, useRef } from 'react'
import { NavLink, useLocation } from 'react-router-dom'
import classes from './link-tabs.module.css'

interface LinkTabsProps {
  /** What the tabs are parts of: 'Project'. */
  label: string
  tabs: readonly { to: string; text: string; count?: number }[]
}

/** Parts of one thing, each with an address of its own; the open one is marked, and in view where not all fit. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  const nav = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => showOpenTab(nav.current), [pathname])
  return (
    <nav ref={nav} aria-label={label} className={classes.tabs}>
      {tabs.map(({ to, text, count }) => (
        <NavLink key={to} to={to} end className={() => classes.tab}>
          {text}
          {count !== undefined && <span className={classes.count}>{count}</span>}
        </NavLink>
      ))}
    </nav>
  )
}

/** Sideways only: `scrollIntoView` would move the page as well. */
function showOpenTab(nav: HTMLElement | null): void {
  const tab = nav?.querySelector('[aria-current=page]')?.getBoundingClientRect()
  if (!nav || !tab) return
  const { left, width } = nav.getBoundingClientRect()
  nav.scrollLeft += tab.left + tab.width / 2 - (left + width / 2)
}
