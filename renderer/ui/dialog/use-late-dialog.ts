import { useRef, useState } from 'react'
import { useFirstView } from '../../lib/browser/first-view'
import { rememberControl } from './return-focus'

/**
 * A dialog whose code loads after the first view, or when it is opened earlier. Closing it returns
 * the focus, because one that opens while its code loads does not know its opener.
 */
export function useLateDialog() {
  const returnFocus = useRef(() => {})
  const [isOpen, setOpen] = useState<boolean>()
  const isFirstViewDone = useFirstView()

  const open = () => {
    returnFocus.current = rememberControl()
    setOpen(true)
  }

  const close = () => {
    setOpen(false)
    returnFocus.current()
  }

  // It stays once it was open: it closes with a transition.
  return { isOpen: isOpen === true, isNeeded: isOpen !== undefined || isFirstViewDone, open, close }
}
