import classes from './monogram.module.css'

/** The first letter of a name, for things without a picture. */
export function Monogram({ name, size = 40 }: { name: string; size?: number }) {
  const [letter = '?'] = Array.from(name.trim())
  return (
    <span className={classes.tile} style={{ width: size, height: size, fontSize: size * 0.45 }} aria-hidden>
      {letter.toLocaleUpperCase()}
    </span>
  )
}
