import { NavLink } from 'react-router-dom'
import classes from './frame.module.css'

export function HeaderLink({ to, label }: { to: string; label: string }) {
  return (
    <NavLink to={to} className={() => classes.link}>
      {label}
    </NavLink>
  )
}
