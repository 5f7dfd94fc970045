import { Button } from '@mantine/core'
import { IconInbox } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'

const RequestDialog = lazyPage(() => import('./request-dialog'), 'RequestDialog')

/** Opens the file requests of the person. */
export function RequestButton() {
  const [isOpen, setOpen] = useState<boolean>()

  return (
    <>
      <Button
        variant="default"
        leftSection={<IconInbox size={16} />}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        Request files
      </Button>
      <Suspense>
        {isOpen !== undefined && <RequestDialog isOpen={isOpen} onClose={() => setOpen(false)} />}
      </Suspense>
    </>
  )
}
