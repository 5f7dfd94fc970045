import { Alert, Autocomplete, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { TESTER_DAYS, type TesterLink } from '../../../server/contract'
import { messages } from '../../lib/texts/messages'
import { PasswordField } from '../../ui/password-field'
import { useNow } from '../../ui/text/use-now'
import { dayOf, useTesterForm } from './use-tester-form'

const usualChannels = ['beta', 'nightly', 'stable']
const DAY = 86_400_000

interface TesterFormProps {
  projectId: string
  /** Undefined: a new link. */
  saved: TesterLink | undefined
  onCreated: (path: string) => void
  onClose: () => void
}

export function TesterForm({ projectId, saved, onCreated, onClose }: TesterFormProps) {
  const { form, submit } = useTesterForm({ projectId, saved, onCreated, onChanged: onClose })
  const now = useNow().getTime()
  const inDays = (days: number) => dayOf(new Date(now + days * DAY).toISOString())
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {form.errors.form && (
          <Alert role="alert" color="red" variant="light" icon={<IconAlertTriangle />} title={form.errors.form} />
        )}
        <TextInput
          label="Name"
          description={messages.tester.nameHint}
          placeholder="Beta group, Berlin"
          withAsterisk
          data-autofocus
          autoComplete="off"
          {...form.getInputProps('name')}
        />
        <Autocomplete
          label="Channel"
          description={messages.tester.channelHint}
          data={usualChannels}
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('channel')}
        />
        <TextInput
          type="date"
          label="Last day"
          description={messages.tester.endHint}
          min={inDays(0)}
          max={inDays(TESTER_DAYS.most)}
          {...form.getInputProps('until')}
        />
        <PasswordField
          label={saved?.has_password ? 'New password' : 'Password'}
          description={saved?.has_password ? messages.tester.newPasswordHint : messages.tester.passwordHint}
          autoComplete="new-password"
          disabled={form.values.open}
          {...form.getInputProps('password')}
        />
        {saved?.has_password && (
          <Checkbox label="Remove the password" {...form.getInputProps('open', { type: 'checkbox' })} />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={form.submitting}>
            {saved ? 'Save changes' : 'Create tester link'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
