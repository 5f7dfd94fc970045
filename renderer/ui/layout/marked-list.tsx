import type { ReactNode } from 'react'
import classes from './marked-list.module.css'

/** A list with a picture before each item. */
export function MarkedList({
  label,
  isOrdered,
  children,
}: {
  label: string
  isOrdered?: boolean
  children: ReactNode
}) {
  const List = isOrdered ? 'ol' : 'ul'
  return (
    <List className={classes.list} aria-label={label}>
      {children}
    </List>
  )
}

export function MarkedItem({ mark, children }: { mark: ReactNode; children: ReactNode }) {
  return (
    <li>
      {mark}
      <div>{children}</div>
    </li>
  )
}
