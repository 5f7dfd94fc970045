import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconTrash } from '@tabler/icons-react'

/** Long enough to read it, to be startled, and to reach the button. */
const CLEARS_AFTER = 8000
/** The same place as every other message: the newest is the one that matters. */
const PLACE = 'message'

/** Says that something is gone, and offers to bring it back. It `stays` where it also tells what failed. */
export function notifyUndo(text: string, onUndo: () => void, { stays = false } = {}): void {
  notifications.hide(PLACE)
  notifications.show({
    id: PLACE,
    message: <WithUndo text={text} onUndo={onUndo} isLong={stays} />,
    color: 'quay',
    icon: <IconTrash size={18} />,
    autoClose: stays ? false : CLEARS_AFTER,
    role: stays ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': 'Dismiss message' },
  })
}

/** Below a long text the button takes no room from it. */
function WithUndo({ text, onUndo, isLong }: { text: string; onUndo: () => void; isLong: boolean }) {
  const undo = () => {
    notifications.hide(PLACE)
    onUndo()
  }
  return (
    <Group justify="space-between" wrap={isLong ? 'wrap' : 'nowrap'} gap={isLong ? 4 : 'sm'}>
      {text}
      <Button size="compact-sm" variant="light" flex="none" onClick={undo}>
        Undo
      </Button>
    </Group>
  )
}
