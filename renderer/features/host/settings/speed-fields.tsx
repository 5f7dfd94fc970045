import { NumberField } from '../../../ui/number-field'
import { Part } from './settings-part'
import type { SettingsForm } from './use-settings-form'

const RATES = [
  {
    name: 'bytes_per_second_per_transfer',
    label: 'Speed per transfer',
    description: 'One download or upload. Leave empty for no limit.',
  },
  {
    name: 'bytes_per_second_per_visitor',
    label: 'Speed per visitor',
    description: 'All transfers of one account, or of one browser without an account.',
  },
  {
    name: 'bytes_per_second_in_all',
    label: 'Total speed',
    description: 'All downloads together, and all uploads together. A limit keeps your own connection usable.',
  },
] as const

/** Limits of transfers. A change applies to those in progress too. */
export function SpeedFields({ form }: { form: SettingsForm }) {
  return (
    <Part id="speed">
      {RATES.map(({ name, label, description }) => (
        <NumberField
          key={name}
          label={label}
          description={description}
          placeholder="No limit"
          unit="MB/s"
          {...form.getInputProps(name)}
        />
      ))}
      <NumberField
        label="Transfers per address"
        description="At the same time. People behind one proxy or in one company share an address."
        {...form.getInputProps('transfers_per_address')}
      />
      <NumberField
        label="Connections per address"
        description="At the same time. This computer and trusted proxies have no limit."
        {...form.getInputProps('connections_per_address')}
      />
    </Part>
  )
}
