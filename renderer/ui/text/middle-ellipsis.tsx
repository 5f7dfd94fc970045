import { VisuallyHidden } from '@mantine/core'
import { withoutUnseen } from '../../../server/contract/unseen'
import classes from './middle-ellipsis.module.css'

/** Keeps the extension and the characters before it, which distinguish builds. */
const TAIL = 12

/** A name on one line, shortened in its middle; complete on hover and for screen readers. */
export function MiddleEllipsis({ text: rawText }: { text: string }) {
  const text = withoutUnseen(rawText)
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
