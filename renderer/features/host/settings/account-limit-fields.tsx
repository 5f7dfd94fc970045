import { SimpleGrid } from '@mantine/core'
import { NumberField } from '../../../ui/number-field'
import type { SettingsForm } from './use-settings-form'

const LIMITS = [
  { name: 'projects_per_account', label: 'Projects per account' },
  { name: 'posts_per_account', label: 'Posts per account' },
  { name: 'api_keys_per_account', label: 'API keys per account' },
  { name: 'unfinished_uploads_per_account', label: 'Unfinished uploads per account' },
  {
    name: 'sessions_per_account',
    label: 'Sessions per account',
    description: 'One more sign-in ends the oldest session.',
  },
] as const

/** Limits per account. An account above a new limit keeps its records. */
export function AccountLimitFields({ form }: { form: SettingsForm }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      {LIMITS.map(({ name, label, ...rest }) => (
        <NumberField key={name} label={label} {...rest} {...form.getInputProps(name)} />
      ))}
    </SimpleGrid>
  )
}
