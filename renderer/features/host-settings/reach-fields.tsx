import { NativeSelect, Text } from '@mantine/core'
import { useLoadLater } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { Lazily } from '../../ui/feedback/lazily'
import type { AddressChoiceProps } from './address-choice'
import { listAddresses, settingLabels, toFormValues } from './settings-values'

const loadChoice = () => import('./address-choice')
const AddressChoice = lazyPage(loadChoice, 'AddressChoice')

const REACHES = [
  { value: 'here', label: 'This computer only' },
  { value: 'all', label: 'Everyone on this network' },
  { value: 'chosen', label: 'Chosen addresses only' },
]

/** Who can reach the host. */
export function ReachFields({ form, saved, machine }: AddressChoiceProps) {
  useLoadLater(loadChoice)
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
      <Lazily>
        {values.reach === 'chosen' && <AddressChoice form={form} saved={saved} machine={machine} />}
      </Lazily>
      {lost.length > 0 && (
        <Text size="sm" role="status">
          {`When you save, other devices can no longer reach this host at ${lost.join(', ')}.`}
        </Text>
      )}
    </>
  )
}
