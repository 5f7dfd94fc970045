import { Button, Modal, Text, TextInput, type ButtonProps } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { FormFrame } from '../../ui/form-frame'
import { useProjectForm } from './use-project-form'
import { useCreateProject } from './use-projects'

export function CreateProject(button: ButtonProps) {
  const [isOpen, { open, close }] = useDisclosure(false)
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} {...button} onClick={open}>
        Create project
      </Button>
      <Modal opened={isOpen} onClose={close} title="Create project" size="md">
        <CreateProjectForm onCancel={close} />
      </Modal>
    </>
  )
}

/** The title first: what it is, pictures and who can see it follow once there is something to show. */
function CreateProjectForm({ onCancel }: { onCancel: () => void }) {
  const create = useCreateProject()
  const form = useProjectForm({ draft: 'project', failed: 'Failed to create project', send: create })
  return (
    <FormFrame form={form} submit="Create project" onCancel={onCancel}>
      <TextInput label="Title" withAsterisk data-autofocus autoComplete="off" {...form.getInputProps('title')} />
      <Text c="dimmed">Private until you make it public. Its description can follow in its settings.</Text>
    </FormFrame>
  )
}
