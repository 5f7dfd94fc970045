import { NumberInput } from '@mantine/core'
import { Part } from './settings-part'
import type { SettingsForm } from './use-settings-form'

const RATES = [
  {
    name: 'bytes_per_second_per_transfer',
    label: 'Each transfer',
    description: 'One download or upload. Empty: as fast as it goes.',
  },
  {
    name: 'bytes_per_second_per_visitor',
    label: 'Each visitor',
    description: 'All that one account, or one browser without an account, moves at once.',
  },
  {
    name: 'bytes_per_second_in_all',
    label: 'All together',
    description: 'All downloads, and likewise all uploads. Leave some of your line to yourself.',
  },
] as const

/** How fast others may be. Whoever transfers now feels a change at once. */
export function SpeedFields({ form }: { form: SettingsForm }) {
  return (
    <Part id="speed">
      {RATES.map(({ name, label, description }) => (
        <NumberInput
          key={name}
          label={label}
          description={description}
          placeholder="No limit, else MB/s"
          suffix=" MB/s"
          decimalScale={3}
          hideControls
          {...form.getInputProps(name)}
        />
      ))}
      <NumberInput
        label="Transfers at once"
        description="Of one address. Behind a proxy or in a company, many people have the same one."
        allowDecimal={false}
        hideControls
        {...form.getInputProps('transfers_per_address')}
      />
      <NumberInput
        label="Connections at once"
        description="From one address. This computer and trusted proxies have no limit."
        allowDecimal={false}
        hideControls
        {...form.getInputProps('connections_per_address')}
      />
    </Part>
  )
}
