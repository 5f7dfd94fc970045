import { useState, type ReactNode } from 'react'
import classes from './app-icon.module.css'

interface AppIconProps {
  /** Address of a picture. */
  src: string
  /** Side, in pixels: the picture takes this room before it has loaded. */
  size: number
  /** Shown if the picture cannot be loaded. */
  fallback: ReactNode
}

/** The icon of an app, hidden from screen readers because the name beside it says the same. */
export function AppIcon({ src, size, fallback }: AppIconProps) {
  const [failed, setFailed] = useState<string>()
  if (failed === src) return fallback

  return (
    <img
      className={classes.icon}
      src={src}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      decoding="async"
      onError={() => setFailed(src)}
    />
  )
}
