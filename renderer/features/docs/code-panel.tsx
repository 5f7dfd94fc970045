import { CopyButton } from '../../ui/text/copy-button'
import classes from './docs.module.css'

interface CodePanelProps {
  /** What the code is: 'Reply', 'Sign in'. */
  title: string
  /** What screen readers add to the title, where several panels have the same one. */
  of?: string
  code: string
  /** Without it the code is there to be read only. */
  copyable?: boolean
}

/** Code with its name and a button that copies it. */
export function CodePanel({ title, of, code, copyable = true }: CodePanelProps) {
  return (
    <figure className={classes.panel}>
      <figcaption className={classes.panelHead}>
        <span>{title}</span>
        {copyable && <CopyButton value={code} label={`Copy: ${title}`} look="icon" />}
      </figcaption>
      <Code text={code} label={of === undefined ? title : `${title}: ${of}`} />
    </figure>
  )
}

/** Wider than its place: scrolled by touch, wheel and keyboard. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    <pre className={classes.code} tabIndex={0} role="region" aria-label={label}>
      <code>{text}</code>
    </pre>
  )
}
