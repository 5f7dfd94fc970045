import { useDisclosure } from '@mantine/hooks'
import { useCallback, useRef, useState } from 'react'
import { useFirstView } from './first-view'

/**
 * A dialog whose code loads after the first view, or when its button is pressed earlier. `isWanted`: to be mounted, from
 * then on, so that it can leave. `close` focuses the button: a dialog that opens while its code loads does not know it.
 */
export function useLateDialog() {
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, { open: show, close: hide }] = useDisclosure(false)
  const [wasOpened, setWasOpened] = useState(false)
  const isFirstViewDone = useFirstView()
  const open = useCallback(() => {
    setWasOpened(true)
    show()
  }, [show])
  const close = useCallback(() => {
    hide()
    button.current?.focus()
  }, [hide])
  return { button, isOpen, isWanted: wasOpened || isFirstViewDone, open, close }
}
