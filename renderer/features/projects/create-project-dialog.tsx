import { Modal } from '@mantine/core'
import { CreateProjectForm } from './create-project-form'

interface CreateProjectDialogProps {
  opened: boolean
  onClose: () => void
}

export const CreateProjectDialog = ({ opened, onClose }: CreateProjectDialogProps) => (
  <Modal opened={opened} onClose={onClose} title="Create project" size="md" returnFocus={false}>
    <CreateProjectForm onCancel={onClose} />
  </Modal>
)
