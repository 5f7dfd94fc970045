import classes from './share-bar.module.css'

interface Part {
  name: string
  /** How much of the whole; any unit. */
  share: number
  /** The share in words: '6.10 MB'. */
  text: string
  color: string
  /** More about it, on hover. */
  hint?: string
}

/** What a whole is made of: a bar in parts, and a legend that says the same in words. */
export function ShareBar({ label, parts }: { label: string; parts: readonly Part[] }) {
  return (
    <div>
      <div className={classes.bar} aria-hidden>
        {parts.map(({ name, share, color }) => (
          <span key={name} className={classes.part} style={{ flex: `${share} 0 0`, background: color }} />
        ))}
      </div>
      <ul className={classes.legend} aria-label={label}>
        {parts.map(({ name, text, color, hint }) => (
          <li key={name} className={classes.entry} title={hint}>
            <span className={classes.swatch} style={{ background: color }} aria-hidden />
            {name}
            <span className={classes.value}>{text}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
