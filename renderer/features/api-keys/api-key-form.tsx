import { Alert, Button, Chip, Group, NumberInput, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { IconAlertTriangle } from '@tabler/icons-react'
import { api } from '../../../server/contract'
import { failureField, failureText } from '../../lib/failure'
import { focusFirstError } from '../../lib/focus-first-error'
import { messages } from '../../lib/messages'
import { validateBy } from '../../lib/validate-by'
import { useCreateApiKey } from './use-api-keys'

const usualDays = [30, 90, 365]

interface ApiKeyFormProps {
  onCreated: (apiKey: string) => void
  onCancel: () => void
}

export function ApiKeyForm({ onCreated, onCancel }: ApiKeyFormProps) {
  const { form, submit } = useApiKeyForm(onCreated)
  const { days } = form.values
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
        <Stack gap="xs">
          <NumberInput
            label="Expires after (days)"
            description="Empty: the key does not expire"
            placeholder="No expiry"
            allowDecimal={false}
            allowNegative={false}
            min={1}
            clampBehavior="none"
            {...form.getInputProps('days')}
          />
          <Group gap={6}>
            {usualDays.map((count) => (
              <Chip
                key={count}
                size="xs"
                checked={days === count}
                onChange={(on) => form.setFieldValue('days', on ? count : '')}
              >
                {count} days
              </Chip>
            ))}
          </Group>
        </Stack>
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" color="gray" onClick={onCancel}>
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

function useApiKeyForm(onCreated: (apiKey: string) => void) {
  const create = useCreateApiKey()
  const check = validateBy(api.apiKeys.create.input)
  const form = useForm<{ name: string; days: number | string }>({
    mode: 'controlled',
    initialValues: { name: '', days: '' },
    validate: ({ name, days }) => {
      const { expires_days, ...errors } = check({ name, expires_days: daysOf(days) })
      return { ...errors, ...(expires_days === undefined ? {} : { days: expires_days }) }
    },
  })
  const submit = form.onSubmit(async ({ name, days }) => {
    try {
      onCreated(await create({ name, expires_days: daysOf(days) }))
    } catch (cause) {
      const field = failureField(cause, ['name']) ?? 'form'
      form.setFieldError(field, failureText(cause, { failed: messages.apiKey.createFailed }))
    }
  }, focusFirstError(form))
  return { form, submit }
}

/** The input holds '' while it is empty. */
const daysOf = (days: number | string): number | null => (days === '' ? null : Number(days))
