import classes from './share-bar.module.css'

interface Part {
  name: string
  share: number
  text: string
  color: string
  hint?: string
}

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
