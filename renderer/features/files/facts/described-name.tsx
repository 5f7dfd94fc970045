import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import type { File } from '../../../../server/contract'
import { factsLine } from '../../../../server/texts/files/facts-line'
import { FileName } from '../../../ui/file/file-name'
import classes from './described-name.module.css'

interface DescribedNameProps {
  file: Pick<File, 'filename' | 'icon_url' | 'facts'>
  onDetails: () => void
  /** Lines below. */
  children?: ReactNode
}

/** A filename with a line about its package, which opens the details. */
export function DescribedName({
  file: { filename, icon_url, facts },
  onDetails,
  children,
}: DescribedNameProps) {
  const text = facts ? factsLine(facts) : ''

  return (
    <FileName filename={filename} icon={icon_url}>
      {text !== '' && (
        <UnstyledButton
          className={classes.facts}
          title={text}
          aria-haspopup="dialog"
          aria-label={`${text}. Details of ${filename}`}
          onClick={onDetails}
        >
          <bdi>{text}</bdi>
        </UnstyledButton>
      )}
      {children}
    </FileName>
  )
}
