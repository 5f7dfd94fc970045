import { Button, NumberInput, Textarea, TextInput } from '@mantine/core'
import type { HostSettings, MachineAddress } from '../../../../server/contract'
import { ReachFields } from './reach-fields'
import { Part } from './settings-part'
import type { SettingsForm, Suggestion } from './use-settings-form'

interface SharingFieldsProps {
  form: SettingsForm
  saved: HostSettings
  machine: readonly MachineAddress[]
  overridden: readonly (keyof HostSettings)[]
  /** A port that is free, where the one that was asked for is not. */
  freePort: Suggestion | undefined
}

/** Who reaches this host, and where. */
export function SharingFields({ form, saved, machine, overridden, freePort }: SharingFieldsProps) {
  const isFixed = overridden.includes('public_url')
  const proxiesAreFixed = overridden.includes('trusted_proxies')
  return (
    <Part id="sharing">
      <ReachFields form={form} saved={saved} machine={machine} />
      <TextInput
        label="Name"
        description="What this host is called in its network. Empty: as this computer is called."
        autoComplete="off"
        {...form.getInputProps('host_name')}
      />
      <NumberInput
        label="Port"
        description="The number at the end of the address. Links that people already have stop working when it changes, and this app starts anew."
        allowDecimal={false}
        hideControls
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
            ? 'This run was started with --public-url, which decides.'
            : 'Where others reach this host from outside, by a tunnel or a proxy. Links and QR codes then carry it.'
        }
        {...form.getInputProps('public_url')}
      />
      <Textarea
        label="Trusted proxies"
        disabled={proxiesAreFixed}
        description={
          proxiesAreFixed
            ? 'This run was started with --trust-proxy, which decides.'
            : 'IP addresses or networks, one a line. Only these may say who their clients are.'
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
