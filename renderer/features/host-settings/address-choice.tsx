import { Checkbox, Stack, Text } from '@mantine/core'
import type { HostSettings, MachineAddress } from '../../../server/contract'
import { settingRows } from '../../../server/contract/host-settings/rows'
import { audiences } from './texts'
import type { SettingsForm } from './use-settings-form'

export interface AddressChoiceProps {
  form: SettingsForm
  saved: HostSettings
  machine: readonly MachineAddress[]
}

/** The addresses at which the host may be reached, loaded where a person chooses them. */
export function AddressChoice({ form, saved, machine }: AddressChoiceProps) {
  const { label, help } = settingRows.sharing.shared_addresses
  const absent = saved.shared_addresses.filter(
    (address) => !machine.some((it) => it.address === address),
  )
  const choices = [
    ...machine.map(({ address, kind }) => ({ address, about: audiences[kind] })),
    ...absent.map((address) => ({ address, about: 'Not available now' })),
  ]

  return (
    <Checkbox.Group label={label} description={help} {...form.getInputProps('shared_addresses')}>
      <Stack gap="sm" mt="xs">
        {choices.map(({ address, about }) => (
          <Checkbox key={address} value={address} label={address} description={about} />
        ))}
        {choices.length === 0 && <Text c="dimmed">This computer has no network now.</Text>}
      </Stack>
    </Checkbox.Group>
  )
}
