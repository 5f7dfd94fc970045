import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { RECOVERY_CODES } from '../../../../server/contract/limits'
import type { Factors, Passkey } from '../../../../server/contract'
import { useSession } from '../../../lib/session/session'
import { Loaded } from '../../../ui/feedback/loaded'
import { TableSkeleton } from '../../../ui/table/skeletons'
import { Time } from '../../../ui/text/time'
import { worksHere } from './passkey-browser'
import classes from './factors.module.css'
import { useFactorActions } from './use-factor-actions'
import { hasFactor, useFactors } from './use-factors'

/** What a sign-in needs beside the password. */
export function AccountFactors() {
  const { lacksFactor } = useSession()
  const query = useFactors()

  return (
    <Stack component="section" aria-labelledby="second-factor" gap="sm">
      <Title order={2} size="h3" id="second-factor">
        Second factor
      </Title>
      {lacksFactor && (
        <Alert variant="light" icon={<IconShieldCheck />} title="Add one to continue">
          This host asks your account for a second factor. All other pages open once you have one.
        </Alert>
      )}
      <Text c="dimmed">
        A second factor protects your account even if someone steals your password. API keys and the
        app window work as before.
      </Text>
      <Loaded
        query={query}
        title="Your second factors could not be loaded"
        skeleton={<TableSkeleton rows={3} />}
      >
        {(factors) => (
          <ul className={classes.list} aria-label="Second factors">
            <Codes factors={factors} />
            <Passkeys factors={factors} />
            {hasFactor(factors) && <RecoveryCodes factors={factors} />}
          </ul>
        )}
      </Loaded>
    </Stack>
  )
}

function Codes({ factors: { codes } }: { factors: Factors }) {
  const { beginCodes, removeCodes } = useFactorActions()

  return (
    <li className={classes.row}>
      <div>
        <Text fw={500}>Authenticator app</Text>
        <Text size="sm" c="dimmed">
          {codes ? <Used {...codes} /> : 'Six digits from an authenticator app on your phone.'}
        </Text>
      </div>
      {codes ? (
        <Button variant="default" onClick={() => removeCodes.mutate()}>
          Remove codes
        </Button>
      ) : (
        <Button
          variant="default"
          loading={beginCodes.isPending}
          onClick={() => beginCodes.mutate()}
        >
          Set up codes
        </Button>
      )}
    </li>
  )
}

function Passkeys({ factors: { passkeys, passkey_origins: origins } }: { factors: Factors }) {
  const { addPasskey } = useFactorActions()

  return (
    <>
      <li className={classes.row}>
        <div>
          <Text fw={500}>Passkeys</Text>
          <Text size="sm" c="dimmed">
            {worksHere(origins) ? (
              'A fingerprint, face, PIN or security key. It signs you in without a password, too.'
            ) : (
              <NotHere origins={origins} />
            )}
          </Text>
        </div>
        {worksHere(origins) && (
          <Button
            variant="default"
            loading={addPasskey.isPending}
            onClick={() => addPasskey.mutate()}
          >
            Add a passkey
          </Button>
        )}
      </li>
      {passkeys.map((passkey) => (
        <PasskeyRow key={passkey.passkey_id} passkey={passkey} origins={origins} />
      ))}
    </>
  )
}

function NotHere({ origins: [origin] }: { origins: readonly string[] }) {
  if (origin === undefined)
    return 'Passkeys need a domain name with HTTPS. Set one as the public URL of this host.'
  if (origin === window.location.origin) return 'This browser has no passkeys.'

  return (
    <>
      They work at{' '}
      <Anchor href={`${origin}/account`} inherit underline="always">
        {origin}
      </Anchor>{' '}
      only.
    </>
  )
}

function PasskeyRow({ passkey, origins }: { passkey: Passkey; origins: readonly string[] }) {
  const { renamePasskey, removePasskey } = useFactorActions()
  const isForOther = origins.every((origin) => new URL(origin).hostname !== passkey.host)

  return (
    <li className={classes.row}>
      <div className={classes.part}>
        <Text fw={500} className={classes.name}>
          {passkey.name}
        </Text>
        <Text size="sm" c="dimmed">
          {isForOther && `For ${passkey.host}, which this host no longer uses. `}
          <Used {...passkey} />
        </Text>
      </div>
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          aria-label={`Rename ${passkey.name}`}
          onClick={() => renamePasskey(passkey)}
        >
          Rename
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-label={`Remove ${passkey.name}`}
          onClick={() => removePasskey.mutate(passkey)}
        >
          Remove
        </Button>
      </Group>
    </li>
  )
}

function RecoveryCodes({ factors: { recovery_codes_left: left } }: { factors: Factors }) {
  const { renewRecoveryCodes } = useFactorActions()

  return (
    <li className={classes.row}>
      <div>
        <Text fw={500}>Recovery codes</Text>
        <Text size="sm" c={left < 3 ? 'red' : 'dimmed'}>
          {left} of {RECOVERY_CODES} left. Each signs you in once, in place of a code or passkey.
        </Text>
      </div>
      <Button variant="default" onClick={() => renewRecoveryCodes.mutate()}>
        New recovery codes
      </Button>
    </li>
  )
}

const Used = ({ created_at, last_used_at }: Pick<Passkey, 'created_at' | 'last_used_at'>) => (
  <>
    Added <Time value={created_at} inSentence /> ·{' '}
    {last_used_at === null ? (
      'Not used yet'
    ) : (
      <>
        Last used <Time value={last_used_at} inSentence />
      </>
    )}
  </>
)
