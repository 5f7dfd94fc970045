import { Alert, Button, Checkbox, Chip, Group, Select, Stack, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { scopes } from '../../../server/contract'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { NumberField } from '../../ui/number-field'
import { scopeWords } from './scopes'
import { useApiKeyForm } from './use-api-key-form'

const usualDays = [30, 90, 365]

interface ApiKeyFormProps {
  onCreated: (apiKey: string) => void
  onCancel: () => void
}

export function ApiKeyForm({ onCreated, onCancel }: ApiKeyFormProps) {
  const { form, submit, forget } = useApiKeyForm(onCreated)
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {form.errors.form && (
          <Alert role="alert" color="red" variant="light" icon={<IconAlertTriangle />} title={form.errors.form} />
        )}
        <TextInput
          label="Name"
          description="What will use it: a CI job, a script, a machine"
          placeholder="GitHub Actions"
          withAsterisk
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Expiry form={form} />
        <Checkbox.Group label="The key may" {...form.getInputProps('scopes')}>
          <Stack gap="xs" mt="xs">
            {scopes.map((scope) => (
              <Checkbox key={scope} value={scope} {...scopeWords[scope]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <OneProject form={form} />
        <Group justify="flex-end" gap="xs">
          <Button
            variant="subtle"
            color="gray"
            onClick={() => {
              forget()
              onCancel()
            }}
          >
            Cancel
          </Button>
          <Button type="submit" loading={form.submitting}>
            Create API key
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

type Form = Pick<ReturnType<typeof useApiKeyForm>, 'form'>

function Expiry({ form }: Form) {
  return (
    <Stack gap="xs">
      <NumberField
        label="Expires after"
        description="Leave empty for a key that does not expire."
        placeholder="No expiry"
        unit="days"
        {...form.getInputProps('days')}
      />
      <Group gap={6}>
        {usualDays.map((count) => (
          <Chip
            key={count}
            size="xs"
            checked={Number(form.values.days) === count}
            onChange={(on) => form.setFieldValue('days', on ? String(count) : '')}
          >
            {count} days
          </Chip>
        ))}
      </Group>
    </Stack>
  )
}

function OneProject({ form }: Form) {
  const own = useMyProjects().data?.filter(({ role }) => role === 'owner') ?? []
  if (own.length === 0) return null
  return (
    <Select
      label="Only for project"
      placeholder="All projects and files"
      clearable
      searchable
      nothingFoundMessage="No project of that name"
      data={own.map(({ project_id, title }) => ({ value: project_id, label: title }))}
      {...form.getInputProps('project_id')}
    />
  )
}
