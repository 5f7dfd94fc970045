import { Button, type ButtonProps } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Suspense } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useLateDialog } from '../../lib/browser/late-dialog'

const CreateProjectDialog = lazyPage(() => import('./create-project-dialog'), 'CreateProjectDialog')

export function CreateProject(button: ButtonProps) {
  const { button: opener, isOpen, isWanted, open, close } = useLateDialog()
  return (
    <>
      <Button ref={opener} leftSection={<IconPlus size={16} />} {...button} onClick={open}>
        Create project
      </Button>
      <Suspense>{isWanted && <CreateProjectDialog opened={isOpen} onClose={close} />}</Suspense>
    </>
  )
}
