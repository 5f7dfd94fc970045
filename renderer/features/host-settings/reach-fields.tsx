import { Checkbox, NativeSelect, Stack, Text } from '@mantine/core'
import type { HostSettings, MachineAddress } from '../../../server/contract'
import { settingRows } from '../../../server/contract/host-settings/rows'
import { listAddresses, settingLabels, toFormValues } from './settings-values'
import type { SettingsForm } from './use-settings-form'
import { audiences } from './texts'

const REACHES = [
  { value: 'here', label: 'This computer only' },
  { value: 'all', label: 'Everyone on this network' },
  { value: 'chosen', label: 'Chosen addresses only' },
]

interface ReachFieldsProps {
  form: SettingsForm
  saved: HostSettings
  machine: readonly MachineAddress[]
}

export function ReachFields({ form, saved, machine }: ReachFieldsProps) {
  const values = form.values
  const next = listAddresses(values, machine)
  const lost = listAddresses(toFormValues(saved), machine).filter(
    (address) => !next.includes(address),
  )

  return (
    <>
      <NativeSelect
        id="reach"
        label={settingLabels.reach}
        description="Running transfers continue, whichever you choose."
        data={REACHES}
        {...form.getInputProps('reach')}
      />
      {values.reach === 'chosen' && <AddressChoice form={form} saved={saved} machine={machine} />}
      {lost.length > 0 && (
        <Text size="sm" role="status">
          {`When you save, other devices can no longer reach this host at ${lost.join(', ')}.`}
        </Text>
      )}
    </>
  )
}

function AddressChoice({ form, saved, machine }: ReachFieldsProps) {
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
