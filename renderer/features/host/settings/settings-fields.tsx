import { NativeSelect, SimpleGrid, Switch, TextInput } from '@mantine/core'
import { tierQuota, tiers } from '../../../../server/contract'
import { formatSize } from '../../../lib/words/format'
import { NumberField } from '../../../ui/number-field'
import { Part } from './settings-part'
import type { SettingsForm } from './use-settings-form'

interface FieldsProps {
  form: SettingsForm
}

export function PeopleFields({ form }: FieldsProps) {
  return (
    <Part id="people">
      <Switch
        label="Open registration"
        description="When this is off, people need an invite link to register."
        {...form.getInputProps('registration_open', { type: 'checkbox' })}
      />
      <NativeSelect
        label="Tier of new accounts"
        data={tiers.map((tier) => ({ value: tier, label: `${tier} (${formatSize(tierQuota[tier])})` }))}
        {...form.getInputProps('default_tier')}
      />
      <NumberField
        label="Uploads per hour"
        description="For each account or API key. The app window has no limit."
        {...form.getInputProps('uploads_per_hour')}
      />
      <NumberField
        label="Requests per hour"
        description="For each account, API key or visitor address. Downloads and pages do not count."
        {...form.getInputProps('requests_per_hour')}
      />
      <AccountLimitFields form={form} />
    </Part>
  )
}

const THEMES = [
  { value: 'system', label: 'System default' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

const SWITCHES = [
  {
    name: 'notify_downloads',
    label: 'Notify me when a download finishes',
  },
  {
    name: 'notify_collaborators',
    label: 'Notify me when a collaborator changes a project',
  },
  {
    name: 'notify_builds',
    label: 'Notify me when a watched folder publishes a build',
  },
  {
    name: 'notify_failures',
    label: 'Notify me when something fails',
    description: 'When the host cannot save data, or cannot publish a build.',
  },
  {
    name: 'start_at_login',
    label: 'Start at login',
    description: 'The host goes online when you sign in to this computer.',
  },
  {
    name: 'start_hidden',
    label: 'Start without a window',
    description: 'Open the window from the Slipway icon near the clock.',
  },
] as const

export function AppFields({ form }: FieldsProps) {
  return (
    <Part id="app">
      {SWITCHES.map(({ name, ...words }) => (
        <Switch key={name} {...words} {...form.getInputProps(name, { type: 'checkbox' })} />
      ))}
      <NativeSelect
        label="Theme"
        description="For this window and its menus. Browsers follow their own system."
        data={THEMES}
        {...form.getInputProps('theme')}
      />
      <TextInput
        label="Update feed"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://builds.example/api/projects/slipway/latest"
        description="Slipway checks it at start and once a day, and asks before it downloads. Leave empty to turn updates off."
        {...form.getInputProps('update_feed')}
      />
    </Part>
  )
}

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
function AccountLimitFields({ form }: { form: SettingsForm }) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
      {LIMITS.map(({ name, label, ...rest }) => (
        <NumberField key={name} label={label} {...rest} {...form.getInputProps(name)} />
      ))}
    </SimpleGrid>
  )
}
