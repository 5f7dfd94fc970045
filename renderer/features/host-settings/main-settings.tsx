import { Card, Stack } from '@mantine/core'
import type { HostSettings, MachineAddress } from '../../../server/contract'
import { isAppWindow } from '../../lib/browser/desktop'
import { SwitchField } from '../../ui/plain-switch'
import { ReachFields } from './reach-fields'
import { SettingField } from './setting-field'
import type { SettingsForm } from './use-settings-form'

interface MainSettingsProps {
  form: SettingsForm
  saved: HostSettings
  machine: readonly MachineAddress[]
  overridden: readonly (keyof HostSettings)[]
}

/** The settings that most people need: four in a browser, seven in the app. */
export function MainSettings({ form, saved, machine, overridden }: MainSettingsProps) {
  const props = { form, overridden }

  return (
    <Card component="section" aria-label="Settings">
      <Stack gap="lg" maw={560}>
        <ReachFields form={form} saved={saved} machine={machine} />
        <SettingField name="host_name" {...props} />
        <SettingField name="registration_open" {...props} />
        <SettingField name="largest_file" {...props} />
        {isAppWindow() && (
          <>
            <SettingField name="start_at_login" {...props} />
            <Notifications form={form} />
            <SettingField name="theme" {...props} />
          </>
        )}
      </Stack>
    </Card>
  )
}

const notices = [
  'notify_downloads',
  'notify_collaborators',
  'notify_builds',
  'notify_failures',
] as const

/** One switch for the four kinds of notifications. */
function Notifications({ form }: { form: SettingsForm }) {
  return (
    <SwitchField
      id="notifications"
      label="Notifications"
      description="Downloads, collaborators, watched folders and failures. Choose under Advanced."
      checked={notices.some((name) => form.values[name])}
      onChange={({ currentTarget: { checked } }) => {
        for (const name of notices) form.setFieldValue(name, checked)
      }}
    />
  )
}
