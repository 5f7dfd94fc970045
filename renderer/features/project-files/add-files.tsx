import { Button } from '@mantine/core'
import { IconChevronDown, IconUpload } from '@tabler/icons-react'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'
import { LateMenu } from '../../ui/table/late-menu'
import { chooseFiles } from '../uploads/drop/drop-place'
import type { LinkFilesProps } from './link-files-dialog'

const AddFilesMenu = lazyPage(() => import('./add-files-menu'), 'AddFilesMenu')
const LinkFilesDialog = lazyPage(() => import('./link-files-dialog'), 'LinkFilesDialog')

/** One button for all ways to add files to a project: the usual one, and a menu of the others. */
export function AddFiles(props: LinkFilesProps) {
  const { isOpen, isNeeded, open, close } = useLateDialog()

  return (
    <>
      <Button.Group>
        <Button leftSection={<IconUpload size={16} />} onClick={chooseFiles}>
          Upload files
        </Button>
        <LateMenu
          button={
            <Button px={10} ml={1} aria-label="More ways to add files" aria-haspopup="menu">
              <IconChevronDown size={16} />
            </Button>
          }
        >
          {(start) => (
            <AddFilesMenu {...start} projectId={props.project.project_id} onExisting={open} />
          )}
        </LateMenu>
      </Button.Group>
      <AfterFirstView isNeeded={isNeeded}>
        <LinkFilesDialog {...props} isOpen={isOpen} onClose={close} />
      </AfterFirstView>
    </>
  )
}
