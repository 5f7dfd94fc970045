import { AppIcon } from '../app-icon'
import classes from './monogram.module.css'

interface MonogramProps {
  name: string
  /** Address of a picture to show instead. */
  icon?: string | null
  size?: number
}

/** The first letter of a name, or its own icon. */
export function Monogram({ name, icon, size = 40 }: MonogramProps) {
  const [letter = '?'] = Array.from(name.trim())
  const tile = (
    <span
      className={classes.tile}
      style={{ width: size, height: size, fontSize: size * 0.45 }}
      aria-hidden
    >
      {letter.toLocaleUpperCase()}
    </span>
  )

  return icon ? <AppIcon src={icon} size={size} fallback={tile} /> : tile
}
