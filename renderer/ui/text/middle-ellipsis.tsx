import { VisuallyHidden } from '@mantine/core'
import { useContext } from 'react'
import { withoutUnseen } from '../../../server/contract/unseen'
import { Beginnings } from './beginnings'
import classes from './middle-ellipsis.module.css'

/** Keeps the extension and the characters before it, which distinguish builds. */
const TAIL = 12
/** Letters that stay in front of the place where names begin to differ. */
const BEFORE = 2

/**
 * A name on one line, shortened in its middle, or in the part that another name of its list has
 * too; complete on hover and for screen readers.
 */
export function MiddleEllipsis({ text: rawText }: { text: string }) {
  const shared = useContext(Beginnings).get(rawText) ?? Infinity
  const text = withoutUnseen(rawText)
  const letters = Array.from(text)
  const cut = Math.max(Math.min(letters.length - TAIL, shared - BEFORE), 0)

  return (
    <bdi dir="ltr" className={classes.root} title={text}>
      <span aria-hidden className={classes.head}>
        {letters.slice(0, cut).join('')}
      </span>
      <span
        aria-hidden
        className={classes.tail}
        data-long={letters.length - cut > TAIL || undefined}
      >
        {letters.slice(cut).join('')}
      </span>
      <VisuallyHidden>{text}</VisuallyHidden>
    </bdi>
  )
}
