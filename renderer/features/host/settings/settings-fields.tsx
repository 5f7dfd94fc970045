import { NativeSelect, NumberInput, Switch, TextInput } from '@mantine/core'
import { tierQuota, tiers } from '../../../../server/contract'
import { formatSize } from '../../../lib/words/format'
import { AccountLimitFields } from './account-limit-fields'
import { Part } from './settings-part'
import type { SettingsForm } from './use-settings-form'

interface FieldsProps {
  form: SettingsForm
}

/** Who may make an account, and how much each may do. */
export function PeopleFields({ form }: FieldsProps) {
  return (
    <Part id="people">
      <Switch
        label="Let new people register"
        description="Off: only people with an invite link can register."
        {...form.getInputProps('registration_open', { type: 'checkbox' })}
      />
      <NativeSelect
        label="Tier of new accounts"
        data={tiers.map((tier) => ({ value: tier, label: `${tier} (${formatSize(tierQuota[tier])})` }))}
        {...form.getInputProps('default_tier')}
      />
      <NumberInput
        label="Uploads an hour"
        description="Of one account or API key. This window is not limited."
        allowDecimal={false}
        {...form.getInputProps('uploads_per_hour')}
      />
      <NumberInput
        label="Requests an hour"
        description="Of one account, API key or visitor's address. Downloads and pages are not counted."
        allowDecimal={false}
        {...form.getInputProps('requests_per_hour')}
      />
      <AccountLimitFields form={form} />
    </Part>
  )
}

const THEMES = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

const SWITCHES = [
  {
    name: 'notify_downloads',
    label: 'Tell of finished downloads',
    description: 'A notification of the system, when somebody has downloaded a file.',
  },
  {
    name: 'notify_collaborators',
    label: 'Tell of collaborators',
    description: 'A notification of the system, when somebody else changes a project on which you work.',
  },
  {
    name: 'notify_builds',
    label: 'Tell of watched folders',
    description: 'A notification of the system, when a build of a watched folder was published.',
  },
  {
    name: 'notify_failures',
    label: 'Tell of failures',
    description: 'A notification of the system, when the host cannot save any more or a build cannot be published.',
  },
  {
    name: 'start_at_login',
    label: 'Start at login',
    description: 'The host is online as soon as you have signed in to this computer.',
  },
  {
    name: 'start_hidden',
    label: 'Start without a window',
    description: 'The icon near the clock opens it.',
  },
] as const

/** What the app does on this computer. */
export function AppFields({ form }: FieldsProps) {
  return (
    <Part id="app">
      {SWITCHES.map(({ name, label, description }) => (
        <Switch
          key={name}
          label={label}
          description={description}
          {...form.getInputProps(name, { type: 'checkbox' })}
        />
      ))}
      <NativeSelect
        label="Theme"
        description="Of this window and its menus. Browsers go by their own system."
        data={THEMES}
        {...form.getInputProps('theme')}
      />
      <TextInput
        label="Look for updates at"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://builds.example/api/projects/slipway/latest"
        description="At each start and once a day; nothing is downloaded before you agree. Empty: never."
        {...form.getInputProps('update_feed')}
      />
    </Part>
  )
}
