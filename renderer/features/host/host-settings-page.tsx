import { Stack } from '@mantine/core'
import type { HostSettings, HttpsAuthority, MachineAddress } from '../../../server/contract'
import { useScrollToHash } from '../../lib/hooks/use-scroll-to-hash'
import { Loaded } from '../../ui/feedback/loaded'
import { TableSkeleton } from '../../ui/table/skeletons'
import { AdvancedSettings } from '../host-settings/advanced-settings'
import { MainSettings } from '../host-settings/main-settings'
import { useHostSettings } from '../../lib/host/host-settings'
import { useSettingsForm } from '../host-settings/use-settings-form'
import { FormFrame } from '../../ui/form-frame'
import { SaveBar } from '../../ui/save-bar'
import { settingLabels } from '../host-settings/settings-values'

const FORM = 'host-settings'

export function HostSettingsPage() {
  return (
    <Loaded
      query={useHostSettings()}
      title="The settings could not be loaded"
      skeleton={<TableSkeleton rows={6} />}
    >
      {(data) => (
        <SettingsFields {...data} saved={data.settings} machine={data.machine_addresses} />
      )}
    </Loaded>
  )
}

interface SettingsFieldsProps {
  saved: HostSettings
  overridden: readonly (keyof HostSettings)[]
  authority: HttpsAuthority
  machine: readonly MachineAddress[]
}

function SettingsFields({ saved, overridden, authority, machine }: SettingsFieldsProps) {
  const { form, freePort, takeFreePort } = useSettingsForm(saved)
  useScrollToHash()

  return (
    <Stack gap="lg">
      <FormFrame form={form} id={FORM} gap="lg">
        <MainSettings form={form} saved={saved} machine={machine} overridden={overridden} />
        <AdvancedSettings
          form={form}
          overridden={overridden}
          authority={authority}
          freePort={freePort}
          onTakeFreePort={takeFreePort}
        />
      </FormFrame>
      <SaveBar form={form} formId={FORM} labels={settingLabels} />
    </Stack>
  )
}
