import classes from './code-block.module.css'
import { CopyButton } from './copy-button'

export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className={classes.root}>
      <pre className={classes.code} tabIndex={0} role="region" aria-label={label}>
        <code>{code}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton value={code} label="Copy" look="icon" />
      </div>
    </div>
  )
}
