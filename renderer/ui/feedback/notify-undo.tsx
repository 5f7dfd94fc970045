import { notifications } from '@mantine/notifications'
import { IconTrash, type Icon } from '@tabler/icons-react'
import { MessageAction } from './message-action'
import { QUIET } from './notify'

/** Long enough to read it and reach the button. */
const CLEARS_AFTER = 8000
/** The same id as every other message: a new one replaces the last. */
const PLACE = 'message'

interface UndoOptions {
  /** The notice also reports a failure. */
  stays?: boolean
  icon?: Icon
}

/** Announces a deletion or another change, and offers Undo. */
export function notifyUndo(
  text: string,
  onUndo: () => void,
  { stays = false, icon: Picture = IconTrash }: UndoOptions = {},
): void {
  const undo = () => {
    notifications.hide(PLACE)
    onUndo()
  }
  notifications.hide(PLACE)
  notifications.show({
    id: PLACE,
    message: <MessageAction text={text} label="Undo" onClick={undo} isLong={stays} />,
    color: 'quay',
    icon: <Picture size={18} />,
    autoClose: stays ? false : CLEARS_AFTER,
    role: stays ? 'alert' : QUIET,
    closeButtonProps: { 'aria-label': 'Dismiss message' },
  })
}
