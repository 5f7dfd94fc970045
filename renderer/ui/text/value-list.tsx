import { CopyButton } from './copy-button'
import classes from './value-list.module.css'

interface ValueListProps {
  /** What the values belong to, for screen readers. */
  label: string
  /** Null: not known. */
  values: readonly (readonly [name: string, value: string | null])[]
  /** Adds a button to each value, for people who type it elsewhere. */
  isToCopy?: boolean
}

/** Technical values with their names. */
export const ValueList = ({ label, values, isToCopy = false }: ValueListProps) => (
  <dl className={classes.values} aria-label={label}>
    {values.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <span className={classes.value}>{value ?? 'Unknown'}</span>
          {isToCopy && value !== null && (
            <CopyButton value={value} label={`Copy ${name.toLowerCase()}`} look="icon" />
          )}
        </dd>
      </div>
    ))}
  </dl>
)
