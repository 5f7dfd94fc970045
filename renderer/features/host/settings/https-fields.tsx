import { Alert, Anchor, Code, NativeSelect, Switch, Text, TextInput } from '@mantine/core'
import type { HostSettings, HttpsAuthority } from '../../../../server/contract'
import { Part } from './settings-part'
import type { SettingsForm } from './use-settings-form'

const MODES = [
  { value: 'off', label: 'Off' },
  { value: 'local', label: 'Certificate made by this host' },
  { value: 'public', label: 'Public certificate, else made by this host' },
  { value: 'own', label: 'Your own certificate' },
]

interface HttpsFieldsProps {
  form: SettingsForm
  overridden: readonly (keyof HostSettings)[]
  authority: HttpsAuthority
}

export function HttpsFields({ form, overridden, authority }: HttpsFieldsProps) {
  const isFixed = overridden.includes('https')
  const { https } = form.getValues()
  return (
    <Part id="https">
      <NativeSelect
        label="Encryption"
        data={MODES}
        disabled={isFixed}
        description={
          isFixed
            ? 'Set by --https or --cert for this run.'
            : 'On the same port. iPhones and iPads install apps over HTTPS only.'
        }
        {...form.getInputProps('https')}
      />
      {https === 'public' && <PublicNote />}
      {https === 'own' && <FileFields form={form} isFixed={isFixed} />}
      {https !== 'off' && (
        <Switch
          label="Redirect visitors to HTTPS"
          description="Applies to http:// addresses. This computer itself can still use HTTP."
          disabled={isFixed}
          {...form.getInputProps('https_redirect', { type: 'checkbox' })}
        />
      )}
      {(https === 'local' || https === 'public') && authority && <TrustNote {...authority} />}
    </Part>
  )
}

function PublicNote() {
  return (
    <Text size="sm" c="dimmed">
      From anywhere gets the public certificate, which all devices trust. It works here for its own name or address, so
      links with that name can work at home too. All other names and addresses use the certificate made by this host.
      Until there is a public certificate, they all do.
    </Text>
  )
}

function FileFields({ form, isFixed }: { form: SettingsForm; isFixed: boolean }) {
  return (
    <>
      <TextInput
        label="Certificate"
        description="Full path of a PEM file: the certificate, then its intermediate certificates."
        placeholder="/etc/letsencrypt/live/builds.example/fullchain.pem"
        autoComplete="off"
        disabled={isFixed}
        {...form.getInputProps('https_certificate')}
      />
      <TextInput
        label="Key"
        description="Full path of a PEM file without a password. The host reads both files again every hour."
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
