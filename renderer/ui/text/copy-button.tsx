import { ActionIcon, Button } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useCopy } from './use-copy'

interface CopyButtonProps {
  value: string
  /** The accessible name of the button: 'Copy link'. */
  label: string
  /**
   * `icon` where the row already says what is copied; `main`, with the focus of a dialog, where the
   * person came to copy.
   */
  look?: 'button' | 'main' | 'icon'
}

/** Copies `value` and confirms it for a moment. */
export function CopyButton({ value, label, look = 'button' }: CopyButtonProps) {
  const { copied, copy } = useCopy(value)

  const text = copied ? 'Copied' : label
  const Picture = copied ? IconCheck : IconCopy
  if (look !== 'icon') {
    return (
      <Button
        variant={look === 'main' ? 'filled' : 'default'}
        data-autofocus={look === 'main' || undefined}
        leftSection={<Picture size={16} />}
        onClick={copy}
        aria-live="polite"
      >
        {text}
      </Button>
    )
  }

  return (
    <ActionIcon variant="subtle" color="gray" title={text} aria-label={text} onClick={copy}>
      <Picture size={16} />
    </ActionIcon>
  )
}
