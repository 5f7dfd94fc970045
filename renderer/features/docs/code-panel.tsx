import { CopyButton } from '../../ui/text/copy-button'
import classes from './docs.module.css'

interface CodePanelProps {
  title: string
  /** Added to the title for screen readers, where several panels share a title. */
  of?: string
  code: string
  /** False hides the copy button. */
  copyable?: boolean
}

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

export function Code({ text, label }: { text: string; label: string }) {
  return (
    <pre className={classes.code} tabIndex={0} role="region" aria-label={label}>
      <code>{text}</code>
    </pre>
  )
}
