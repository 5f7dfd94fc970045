import { Text, TextInput } from '@mantine/core'
import { FormFrame } from '../../ui/form-frame'
import { useProjectForm } from './use-project-form'
import { useCreateProject } from './use-projects'

/** Asks for the title only: description, pictures and visibility follow once there is content. */
export function CreateProjectForm({ onCancel }: { onCancel: () => void }) {
  const create = useCreateProject()
  const form = useProjectForm({
    draft: 'project',
    failed: 'Failed to create project',
    send: create,
  })

  return (
    <FormFrame form={form} submit="Create project" onCancel={onCancel}>
      <TextInput
        label="Title"
        withAsterisk
        data-autofocus
        autoComplete="off"
        {...form.getInputProps('title')}
      />
      <Text c="dimmed">
        Private until you make it public. Its description can follow in its settings.
      </Text>
    </FormFrame>
  )
}
