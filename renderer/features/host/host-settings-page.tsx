import type { HostSettings, HttpsAuthority, MachineAddress } from '../../../server/contract'
import { useScrollToHash } from '../../lib/hooks/use-scroll-to-hash'
import { isAppWindow } from '../../lib/browser/desktop'
import { Loaded } from '../../ui/feedback/loaded'
import { Sections } from '../../ui/layout/sections'
import { TableSkeleton } from '../../ui/table/skeletons'
import { BucketSettings } from '../bucket/bucket-settings'
import { HttpsFields } from '../host-settings/https-fields'
import { AppFields, PeopleFields, SpeedFields } from '../host-settings/settings-fields'
import { Part, listParts } from '../host-settings/settings-part'
import { SharingFields } from '../host-settings/sharing-fields'
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
    <Sections sections={listParts()}>
      <FormFrame form={form} id={FORM} gap="lg">
        <SharingFields
          form={form}
          saved={saved}
          machine={machine}
          overridden={overridden}
          freePort={freePort}
          onTakeFreePort={takeFreePort}
        />
        <HttpsFields form={form} overridden={overridden} authority={authority} />
        <SpeedFields form={form} />
        <PeopleFields form={form} />
        {isAppWindow() && <AppFields form={form} />}
      </FormFrame>
      <Part id="bucket">
        <BucketSettings />
      </Part>
      <SaveBar form={form} formId={FORM} labels={settingLabels} />
    </Sections>
  )
}
