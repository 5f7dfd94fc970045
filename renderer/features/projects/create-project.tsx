import { Button, Group, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { messages } from '../../lib/texts/messages'
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

function CreateProjectForm({ onCancel }: { onCancel: () => void }) {
  const create = useCreateProject()
  const { form, submit, reset } = useProjectForm({
    draft: 'project',
    failed: messages.project.createFailed,
    send: create,
  })
  return (
    <form onSubmit={submit} noValidate>
      <ProjectFields form={form} />
      <Group justify="flex-end" gap="xs" mt="lg">
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            reset()
            onCancel()
          }}
        >
          Cancel
        </Button>
        <Button type="submit" loading={form.submitting}>
          Create project
        </Button>
      </Group>
    </form>
  )
}
