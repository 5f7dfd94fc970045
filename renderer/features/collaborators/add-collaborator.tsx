import { Group, TextInput } from '@mantine/core'
import { useApiForm } from '../../lib/forms/use-api-form'
import { FormFrame, SubmitButton } from '../../ui/form-frame'
import { plainInput } from '../../ui/plain-input'
import { useAddCollaborator } from './use-collaborators'

const blank = { person: '' }

/** An address with '@' is an email, everything else a username. */
export function AddCollaborator({ projectId }: { projectId: string }) {
  const add = useAddCollaborator(projectId)
  const form = useApiForm({
    draft: `project.${projectId}.person`,
    saved: blank,
    findMistakes: ({ person }) => (person.trim() === '' ? { person: 'Enter a username or an email address' } : {}),
    send: async ({ person }) => {
      await add(person.trim())
      return blank
    },
    failed: 'Failed to add collaborator',
    failuresAt: 'person',
  })
  const problem = form.errors.person
  return (
    <FormFrame form={form}>
      <Group gap="xs" align="flex-start">
        <TextInput
          flex="1 1 16rem"
          aria-label="Username or email"
          placeholder="Username or email"
          {...plainInput}
          maxLength={254}
          {...form.getInputProps('person')}
          error={problem && <span role="alert">{problem}</span>}
        />
        <SubmitButton form={form}>Add</SubmitButton>
      </Group>
    </FormFrame>
  )
}
