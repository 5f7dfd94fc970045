import { Button, type ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Suspense } from 'react'
import { useFirstView } from '../../lib/browser/first-view'
import { lazyPage } from '../../lib/browser/lazy-page'

const CreateProjectDialog = lazyPage(() => import('./create-project-dialog'), 'CreateProjectDialog')

export function CreateProject(button: ButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const isFirstViewDone = useFirstView()
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} {...button} onClick={open}>
        Create project
      </Button>
      <Suspense>{(isOpen || isFirstViewDone) && <CreateProjectDialog opened={isOpen} onClose={close} />}</Suspense>
    </>
  )
}
