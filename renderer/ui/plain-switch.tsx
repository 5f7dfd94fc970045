import type { ComponentProps } from 'react'
import classes from './plain-switch.module.css'

/** A switch for lists and first views, for which the kit's own is large. */
export const PlainSwitch = (props: ComponentProps<'input'>) => (
  <input type="checkbox" role="switch" className={classes.track} {...props} />
)

interface SwitchFieldProps extends ComponentProps<'input'> {
  id: string
  label: string
  description?: string
}

/** A switch with its label, and what it does. */
export const SwitchField = ({ id, label, description, ...props }: SwitchFieldProps) => (
  <div className={classes.field}>
    <PlainSwitch id={id} aria-describedby={description && `${id}-about`} {...props} />
    <div>
      <label htmlFor={id}>{label}</label>
      {description && (
        <p id={`${id}-about`} className={classes.about}>
          {description}
        </p>
      )}
    </div>
  </div>
)
