import { IconTrash, type Icon } from '@tabler/icons-react'
import { MessageAction } from './message-action'
import { hideMessage, QUIET, show } from './notify'

/** Long enough to read it and reach the button. */
const CLEARS_AFTER = 8000

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
    hideMessage()
    onUndo()
  }

  show({
    message: <MessageAction text={text} label="Undo" onClick={undo} isLong={stays} />,
    color: 'quay',
    icon: <Picture size={18} />,
    autoClose: stays ? false : CLEARS_AFTER,
    role: stays ? 'alert' : QUIET,
  })
}
