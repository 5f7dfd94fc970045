import { Button } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'

const RequestDialog = lazyPage(() => import('./request-dialog'), 'RequestDialog')

/** Opens the file requests of the person. */
export function RequestButton() {
  const { isOpen, isNeeded, open, close } = useLateDialog()

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
      <AfterFirstView isNeeded={isNeeded}>
        <RequestDialog isOpen={isOpen} onClose={close} />
      </AfterFirstView>
    </>
  )
}
