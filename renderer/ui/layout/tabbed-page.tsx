import type { ReactNode } from 'react'
import { LinkTabs, type LinkTabsProps } from './link-tabs'
import classes from './tabbed-page.module.css'

interface TabbedPageProps extends LinkTabsProps {
  /** One line with the subject of the tabs and its actions. */
  head: ReactNode
  children: ReactNode
}

/** A page of several tabs: its head, the tabs right below, and the tab that is open. */
export function TabbedPage({ head, children, ...tabs }: TabbedPageProps) {
  return (
    <div className={classes.page}>
      <header className={classes.head}>{head}</header>
      <LinkTabs {...tabs} />
      <div className={classes.content}>{children}</div>
    </div>
  )
}
