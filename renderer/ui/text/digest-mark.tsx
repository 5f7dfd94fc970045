import { UnstyledButton } from '@mantine/core'
import classes from './digest-mark.module.css'
import { useCopy } from './use-copy'

/** The start of a SHA-256 in a table row; shows all of it on hover, copies it on click. */
export function DigestMark({ sha256, filename }: { sha256: string; filename: string }) {
  const { copied, copy } = useCopy(sha256)
  const start = sha256.slice(0, 7)

  return (
    <UnstyledButton
      className={classes.mark}
      title={`SHA-256 ${sha256}`}
      aria-label={copied ? 'Copied' : `Copy SHA-256 of ${filename}: ${start}`}
      onClick={() => void copy()}
    >
      {copied ? 'Copied' : start}
    </UnstyledButton>
  )
}
