import { Alert, Anchor, Code, NativeSelect, Switch, Text, TextInput } from '@mantine/core'
import type { HostSettings, HttpsAuthority } from '../../../../server/contract'
import { Part } from './settings-part'
import type { SettingsForm } from './use-settings-form'

const MODES = [
  { value: 'off', label: 'Off' },
  { value: 'local', label: 'With a certificate made here' },
  { value: 'own', label: 'With your own certificate' },
]

interface HttpsFieldsProps {
  form: SettingsForm
  overridden: readonly (keyof HostSettings)[]
  authority: HttpsAuthority
}

/** Whether what goes over the network is encrypted, and by whose certificate. */
export function HttpsFields({ form, overridden, authority }: HttpsFieldsProps) {
  const isFixed = overridden.includes('https')
  const { https } = form.getValues()
  return (
    <Part id="https">
      <NativeSelect
        label="Encrypt connections"
        data={MODES}
        disabled={isFixed}
        description={
          isFixed
            ? 'This run was started with --https or --cert, which decides.'
            : 'On the same port. iPhones and iPads install apps over HTTPS only.'
        }
        {...form.getInputProps('https')}
      />
      {https === 'own' && <FileFields form={form} isFixed={isFixed} />}
      {https !== 'off' && (
        <Switch
          label="Send visitors on to HTTPS"
          description="Whoever opens an http:// address. This computer itself may go on without."
          disabled={isFixed}
          {...form.getInputProps('https_redirect', { type: 'checkbox' })}
        />
      )}
      {https === 'local' && authority && <TrustNote {...authority} />}
    </Part>
  )
}

function FileFields({ form, isFixed }: { form: SettingsForm; isFixed: boolean }) {
  return (
    <>
      <TextInput
        label="Certificate"
        description="The whole path of a PEM file, with the certificates of its authorities behind its own."
        placeholder="/etc/letsencrypt/live/builds.example/fullchain.pem"
        autoComplete="off"
        disabled={isFixed}
        {...form.getInputProps('https_certificate')}
      />
      <TextInput
        label="Key"
        description="The whole path of a PEM file, without a password. Both files are read anew every hour."
        placeholder="/etc/letsencrypt/live/builds.example/privkey.pem"
        autoComplete="off"
        disabled={isFixed}
        {...form.getInputProps('https_key')}
      />
    </>
  )
}

function TrustNote({ url, fingerprint }: NonNullable<HttpsAuthority>) {
  return (
    <Alert color="blue" variant="light" title="Each device has to trust this host once">
      <Text size="sm">
        Open{' '}
        <Anchor href={url} target="_blank" rel="noreferrer">
          {url}
        </Anchor>{' '}
        on the device and follow its steps. It shows this SHA-256 fingerprint:
      </Text>
      <Code block mt="xs" style={{ whiteSpace: 'normal', overflowWrap: 'anywhere' }}>
        {fingerprint}
      </Code>
      <Text size="sm" mt="xs">
        When the fingerprint changes, each device has to trust this host again.
      </Text>
    </Alert>
  )
}
