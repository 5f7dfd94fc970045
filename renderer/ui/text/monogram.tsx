import classes from './monogram.module.css'

export function Monogram({ name, size = 40 }: { name: string; size?: number }) {
  const [letter = '?'] = Array.from(name.trim())
  return (
    <span className={classes.tile} style={{ width: size, height: size, fontSize: size * 0.45 }} aria-hidden>
      {letter.toLocaleUpperCase()}
    </span>
  )
}
