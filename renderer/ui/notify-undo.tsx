import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconTrash } from '@tabler/icons-react'

/** Long enough to read it, to be startled, and to reach the button. */
const CLEARS_AFTER = 8000
/** The same place as every other message: the newest is the one that matters. */
const PLACE = 'message'

/** Says that something is gone, and offers to bring it back. */
export function notifyUndo(text: string, onUndo: () => void): void {
  notifications.hide(PLACE)
  notifications.show({
    id: PLACE,
    message: <WithUndo text={text} onUndo={onUndo} />,
    color: 'quay',
    icon: <IconTrash size={18} />,
    autoClose: CLEARS_AFTER,
    role: 'status',
    closeButtonProps: { 'aria-label': 'Dismiss message' },
  })
}

function WithUndo({ text, onUndo }: { text: string; onUndo: () => void }) {
  const undo = () => {
    notifications.hide(PLACE)
    onUndo()
  }
  return (
    <Group justify="space-between" wrap="nowrap" gap="sm">
      {text}
      <Button size="compact-sm" variant="light" onClick={undo}>
        Undo
      </Button>
    </Group>
  )
}
