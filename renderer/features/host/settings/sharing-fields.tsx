import { Button, Textarea, TextInput } from '@mantine/core'
import type { HostSettings, MachineAddress } from '../../../../server/contract'
import { NumberField } from '../../../ui/number-field'
import { ReachFields } from './reach-fields'
import { Part } from './settings-part'
import type { SettingsForm, Suggestion } from './use-settings-form'

interface SharingFieldsProps {
  form: SettingsForm
  saved: HostSettings
  machine: readonly MachineAddress[]
  overridden: readonly (keyof HostSettings)[]
  freePort: Suggestion | undefined
}

export function SharingFields({ form, saved, machine, overridden, freePort }: SharingFieldsProps) {
  const isFixed = overridden.includes('public_url')
  const proxiesAreFixed = overridden.includes('trusted_proxies')
  return (
    <Part id="sharing">
      <ReachFields form={form} saved={saved} machine={machine} />
      <TextInput
        label="Name"
        description="How this host appears on your network. Leave empty to use the computer's name."
        autoComplete="off"
        {...form.getInputProps('host_name')}
      />
      <NumberField
        label="Port"
        description="The number at the end of the address. A change breaks existing links and restarts this app."
        {...form.getInputProps('port')}
      />
      {freePort && (
        <Button variant="default" size="xs" style={{ alignSelf: 'start' }} onClick={freePort.take}>
          Use {freePort.value} instead
        </Button>
      )}
      <TextInput
        label="Public URL"
        type="url"
        inputMode="url"
        placeholder="https://builds.example"
        disabled={isFixed}
        description={
          isFixed
            ? 'Set by --public-url for this run.'
            : 'The address of a tunnel or proxy in front of this host, for links and QR codes. Leave empty if there is none.'
        }
        {...form.getInputProps('public_url')}
      />
      <Textarea
        label="Trusted proxies"
        disabled={proxiesAreFixed}
        description={
          proxiesAreFixed
            ? 'Set by --trust-proxy for this run.'
            : 'IP addresses or networks, one per line. This host takes the address of a client only from these.'
        }
        autosize
        minRows={1}
        maxRows={6}
        placeholder="10.0.0.2"
        {...form.getInputProps('trusted_proxies')}
      />
    </Part>
  )
}
