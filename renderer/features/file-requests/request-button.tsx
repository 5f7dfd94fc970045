import { Button } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { Suspense, useRef, useState } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'
import { rememberControl } from '../../ui/dialog/return-focus'

const RequestDialog = lazyPage(() => import('./request-dialog'), 'RequestDialog')

/** Opens the file requests of the person. */
export function RequestButton() {
  const [isOpen, setOpen] = useState<boolean>()
  const returnFocus = useRef(() => {})

  const open = () => {
    returnFocus.current = rememberControl()
    setOpen(true)
  }

  const close = () => {
    setOpen(false)
    returnFocus.current()
  }

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconInbox size={16} />}
        aria-haspopup="dialog"
        onClick={open}
      >
        Request files
      </Button>
      <Suspense>
        {isOpen !== undefined && <RequestDialog isOpen={isOpen} onClose={close} />}
      </Suspense>
    </>
  )
}
