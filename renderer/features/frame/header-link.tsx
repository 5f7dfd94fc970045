import { NavLink } from 'react-router-dom'
import classes from './frame.module.css'

/** A link of the header; the router marks the current one with aria-current. */
export function HeaderLink({ to, label }: { to: string; label: string }) {
  return (
    <NavLink to={to} className={() => classes.link}>
      {label}
    </NavLink>
  )
}
