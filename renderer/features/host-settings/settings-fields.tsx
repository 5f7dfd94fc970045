import { SimpleGrid } from '@mantine/core'
import { tierQuota, tiers } from '../../../server/contract/limits'
import { appSettings } from '../../../server/contract/host-settings/app'
import {
  accountSettings,
  peopleSettings,
  speedSettings,
} from '../../../server/contract/host-settings/limits'
import { formatSize } from '../../lib/texts/format'
import { SettingField, SettingFields } from './setting-field'
import { Part } from './settings-part'
import type { SettingsForm } from './use-settings-form'

interface FieldsProps {
  form: SettingsForm
}

export function SpeedFields({ form }: FieldsProps) {
  return (
    <Part id="speed">
      <SettingFields of={speedSettings} form={form} />
    </Part>
  )
}

const TIERS = Object.fromEntries(
  tiers.map((tier) => [tier, `${tier} (${formatSize(tierQuota[tier])})`]),
)

export function PeopleFields({ form }: FieldsProps) {
  const { registration_open: _, default_tier: _tier, ...limits } = peopleSettings

  return (
    <Part id="people">
      <SettingField name="registration_open" form={form} />
      <SettingField name="default_tier" form={form} options={TIERS} />
      <SettingFields of={limits} form={form} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <SettingFields of={accountSettings} form={form} />
      </SimpleGrid>
    </Part>
  )
}

export function AppFields({ form }: FieldsProps) {
  return (
    <Part id="app">
      <SettingFields of={appSettings} form={form} />
    </Part>
  )
}
