import { Button } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'
import type { LinkFilesProps } from './link-files-dialog'

const LinkFilesDialog = lazyPage(() => import('./link-files-dialog'), 'LinkFilesDialog')

export function LinkFiles(props: LinkFilesProps) {
  const { isOpen, isNeeded, open, close } = useLateDialog()

  return (
    <>
      <Button variant="default" leftSection={<IconLink size={16} />} onClick={open}>
        Add existing files
      </Button>
      <AfterFirstView isNeeded={isNeeded}>
        <LinkFilesDialog {...props} isOpen={isOpen} onClose={close} />
      </AfterFirstView>
    </>
  )
}
