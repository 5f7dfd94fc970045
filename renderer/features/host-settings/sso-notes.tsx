import { Alert, Button, Group, Text } from '@mantine/core'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useCall } from '../../lib/client/use-call'
import { useHostSettings } from '../../lib/host/host-settings'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'
import { Warning } from '../../ui/feedback/warning'
import { ValueList } from '../../ui/text/value-list'

const SecretDialog = lazyPage(() => import('./secret-dialog'), 'SecretDialog')

/** What the provider must know, the client secret, and a check. `isSaved`: the fields are. */
export function SsoNotes({ isSaved }: { isSaved: boolean }) {
  const dialog = useLateDialog()
  const settings = useHostSettings().data?.settings
  const check = useCall((client) => client.settings.testSso({}), {
    failed: 'Failed to check the provider',
  })
  if (!settings) return null
  const { sso_addresses: addresses, sso_client_secret_set: hasSecret, sso_issuer } = settings

  return (
    <>
      {sso_issuer === '' && (
        <Text c="dimmed" size="sm">
          People can then sign in with an account of your company or home server (OpenID Connect),
          beside passwords and passkeys. Each links it on the Account page.
        </Text>
      )}
      {addresses ? (
        <>
          <Text size="sm">Enter these addresses at your provider:</Text>
          <ValueList
            label="Addresses for the provider"
            isToCopy
            values={[
              ['Redirect URI', addresses.redirect],
              ['Back-channel logout URI', addresses.logout],
            ]}
          />
        </>
      ) : (
        <NoAddress isNeeded={sso_issuer !== ''} />
      )}
      <Group gap="xs">
        <Button variant="default" onClick={dialog.open}>
          {hasSecret ? 'Change the client secret' : 'Set a client secret'}
        </Button>
        <Button
          variant="default"
          disabled={!isSaved}
          loading={check.isPending}
          onClick={() => check.mutate()}
        >
          Check the provider
        </Button>
      </Group>
      <div role="status">
        {check.data && isSaved && <Outcome {...check.data} hasSecret={hasSecret} />}
      </div>
      <AfterFirstView isNeeded={dialog.isNeeded}>
        <SecretDialog
          name="sso_client_secret"
          label="Client secret"
          opened={dialog.isOpen}
          onClose={dialog.close}
        />
      </AfterFirstView>
    </>
  )
}

const NO_ADDRESS =
  'First set a public URL with https:// (Network), or open the host by a name (From anywhere).'

/** A host without single sign-on needs no warning about it. */
const NoAddress = ({ isNeeded }: { isNeeded: boolean }) =>
  isNeeded ? (
    <Warning title="This host has no address for it">{NO_ADDRESS}</Warning>
  ) : (
    <Text c="dimmed" size="sm">
      {NO_ADDRESS}
    </Text>
  )

interface OutcomeProps {
  problem: string | null
  note: string | null
  hasSecret: boolean
}

function Outcome({ problem, note, hasSecret }: OutcomeProps) {
  if (problem !== null) return <Warning title="The provider cannot be used">{problem}</Warning>
  return (
    <Alert variant="light" color="teal" title="The provider works">
      {hasSecret
        ? 'Sign in once in another browser to try the client secret.'
        : 'It has no client secret yet. Most providers need one.'}
      {note !== null && <Text size="sm">{note}.</Text>}
    </Alert>
  )
}
