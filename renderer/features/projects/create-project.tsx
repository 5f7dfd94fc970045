import { Button, type ButtonProps } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'

const CreateProjectDialog = lazyPage(() => import('./create-project-dialog'), 'CreateProjectDialog')

export function CreateProject(button: ButtonProps) {
  const { isOpen, isNeeded, open, close } = useLateDialog()

  return (
    <>
      <Button leftSection={<IconPlus size={16} />} {...button} onClick={open}>
        Create project
      </Button>
      <AfterFirstView isNeeded={isNeeded}>
        <CreateProjectDialog opened={isOpen} onClose={close} />
      </AfterFirstView>
    </>
  )
}
