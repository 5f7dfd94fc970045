import { Modal } from '@mantine/core'
import { FormFrame } from '../../ui/form-frame'
import { ProjectFields } from './project-fields'
import { useProjectForm } from './use-project-form'
import { useCreateProject } from './use-projects'

interface CreateProjectDialogProps {
  opened: boolean
  onClose: () => void
}

export const CreateProjectDialog = ({ opened, onClose }: CreateProjectDialogProps) => (
  <Modal opened={opened} onClose={onClose} title="Create project" size="lg">
    <CreateProjectForm onCancel={onClose} />
  </Modal>
)

function CreateProjectForm({ onCancel }: { onCancel: () => void }) {
  const create = useCreateProject()
  const form = useProjectForm({ draft: 'project', failed: 'Failed to create project', send: create })
  return (
    <FormFrame form={form} submit="Create project" onCancel={onCancel}>
      <ProjectFields form={form} />
    </FormFrame>
  )
}
