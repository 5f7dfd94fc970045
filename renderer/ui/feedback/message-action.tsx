import { Button, Group } from '@mantine/core'

interface MessageActionProps {
  text: string
  label: string
  onClick: () => void
  /** The button moves below a text of several lines. */
  isLong: boolean
}

/** A message with what can be done about it. */
export function MessageAction({ text, label, onClick, isLong }: MessageActionProps) {
  return (
    <Group justify="space-between" wrap={isLong ? 'wrap' : 'nowrap'} gap={isLong ? 4 : 'sm'}>
      {text}
      <Button size="compact-sm" variant="light" flex="none" onClick={onClick}>
        {label}
      </Button>
    </Group>
  )
}
