import { Button } from '@mantine/core'
import type { HostSettings, MachineAddress } from '../../../server/contract'
import { ReachFields } from './reach-fields'
import { SettingField } from './setting-field'
import { Part } from './settings-part'
import type { SettingsForm } from './use-settings-form'

interface SharingFieldsProps {
  form: SettingsForm
  saved: HostSettings
  machine: readonly MachineAddress[]
  overridden: readonly (keyof HostSettings)[]
  freePort: string | number | undefined
  onTakeFreePort: () => void
}

export function SharingFields({
  form,
  saved,
  machine,
  overridden,
  freePort,
  onTakeFreePort,
}: SharingFieldsProps) {
  return (
    <Part id="sharing">
      <ReachFields form={form} saved={saved} machine={machine} />
      <SettingField name="host_name" form={form} />
      <SettingField name="port" form={form} />
      {freePort !== undefined && (
        <Button variant="default" size="xs" style={{ alignSelf: 'start' }} onClick={onTakeFreePort}>
          Use {freePort} instead
        </Button>
      )}
      <SettingField name="public_url" form={form} overridden={overridden} />
      <SettingField name="trusted_proxies" form={form} overridden={overridden} />
      <SettingField name="webhook_networks" form={form} />
      <SettingField name="npm_registry" form={form} />
      <SettingField name="python_index" form={form} />
    </Part>
  )
}
