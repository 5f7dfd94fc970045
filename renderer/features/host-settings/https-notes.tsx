import { Alert, Anchor, Code, Text } from '@mantine/core'
import type { HostSettings, HttpsAuthority } from '../../../server/contract'

interface HttpsNotesProps {
  https: HostSettings['https']
  authority: HttpsAuthority
}

/** What the chosen encryption means for other devices. */
export const HttpsNotes = ({ https, authority }: HttpsNotesProps) => (
  <>
    {https === 'public' && <PublicNote />}
    {(https === 'local' || https === 'public') && authority && <TrustNote {...authority} />}
  </>
)

function PublicNote() {
  return (
    <Text size="sm" c="dimmed">
      From anywhere gets the public certificate, which all devices trust. It works here for its own
      name or address, so links with that name can work at home too. All other names and addresses
      use the certificate made by this host. Until there is a public certificate, they all do.
    </Text>
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
