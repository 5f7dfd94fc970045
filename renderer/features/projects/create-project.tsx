import { Button, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { FormFrame } from '../../ui/form-frame'
import { ProjectFields } from './project-fields'
import { useProjectForm } from './use-project-form'
import { useCreateProject } from './use-projects'

export function CreateProject() {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={open}>
        Create project
      </Button>
      <Modal opened={isOpen} onClose={close} title="Create project" size="lg">
        <CreateProjectForm onCancel={close} />
      </Modal>
    </>
  )
}

export function CreateProjectForm({ onCancel }: { onCancel: () => void }) {
  const create = useCreateProject()
  const form = useProjectForm({ draft: 'project', failed: 'Failed to create project', send: create })
  return (
    <FormFrame form={form} submit="Create project" onCancel={onCancel}>
      <ProjectFields form={form} />
    </FormFrame>
  )
}
