import { VisuallyHidden } from '@mantine/core'
import { withoutUnseen } from '../../../server/contract'
import classes from './middle-ellipsis.module.css'

/** So much of the end stays visible: the extension, and the few characters that tell two builds apart. */
const TAIL = 12

/** A long name on one line, shortened in its middle, whole on hover and for screen readers. */
export function MiddleEllipsis({ text: given }: { text: string }) {
  const text = withoutUnseen(given)
  const letters = Array.from(text)
  const cut = Math.max(letters.length - TAIL, 0)
  return (
    <bdi className={classes.root} title={text}>
      <span aria-hidden className={classes.head}>
        {letters.slice(0, cut).join('')}
      </span>
      <span aria-hidden className={classes.tail}>
        {letters.slice(cut).join('')}
      </span>
      <VisuallyHidden>{text}</VisuallyHidden>
    </bdi>
  )
}
