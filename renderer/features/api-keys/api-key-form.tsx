import { Checkbox, Chip, Group, Stack, TextInput } from '@mantine/core'
import { api, scopes, type Scope } from '../../../server/contract'
import { ProjectSelect } from '../../lib/forms/project-select'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { useSearchParam } from '../../lib/hooks/use-search-param'
import { FormFrame } from '../../ui/form-frame'
import { LimitField, limitIn } from '../../ui/number-field'
import { scopeWords } from './scopes'
import { useCreateApiKey, type CreatedKey } from './use-api-keys'

type Values = {
  name: string
  /** A number of days; empty: no expiry. */
  expires_days: string
  scopes: Scope[]
  project_id: string | null
}

/** A job that publishes needs no more. */
const blank: Values = { name: '', expires_days: '', scopes: ['upload'], project_id: null }

const usualDays = [30, 90, 365]

interface ApiKeyFormProps {
  onCreated: (created: CreatedKey) => void
  onCancel: () => void
}

export function ApiKeyForm({ onCreated, onCancel }: ApiKeyFormProps) {
  const form = useApiKeyForm(onCreated)

  return (
    <FormFrame form={form} submit="Create API key" onCancel={onCancel}>
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
    </FormFrame>
  )
}

type Form = { form: ReturnType<typeof useApiKeyForm> }

function Expiry({ form }: Form) {
  return (
    <Stack gap="xs">
      <LimitField
        label="Expires after"
        description="Leave empty for a key that does not expire."
        placeholder="No expiry"
        unit="days"
        {...form.getInputProps('expires_days')}
      />
      <Group gap={6}>
        {usualDays.map((count) => (
          <Chip
            key={count}
            size="xs"
            checked={Number(form.values.expires_days) === count}
            onChange={(on) => form.setFieldValue('expires_days', on ? String(count) : '')}
          >
            {count} days
          </Chip>
        ))}
      </Group>
    </Stack>
  )
}

function OneProject({ form }: Form) {
  const own = useOwnProjects() ?? []
  if (own.length === 0) return null

  return (
    <ProjectSelect
      label="Only for project"
      placeholder="All projects and files"
      clearable
      projects={own}
      {...form.getInputProps('project_id')}
    />
  )
}

const useOwnProjects = () => useMyProjects().data?.filter(({ role }) => role === 'owner')

function useApiKeyForm(onCreated: (created: CreatedKey) => void) {
  const create = useCreateApiKey()
  const [openedFrom] = useSearchParam('project')

  const project_id =
    useOwnProjects()?.find((project) => project.project_id === openedFrom)?.project_id ?? null

  return useApiForm({
    draft: 'api-key',
    saved: { ...blank, project_id },
    schema: api.apiKeys.create.input,
    toInput: ({ expires_days: days, ...values }) => ({
      ...values,
      expires_days: limitIn(days),
    }),
    send: async (key) => onCreated(await create(key)),
    failed: 'Failed to create API key',
  })
}
