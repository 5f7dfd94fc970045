import { Button, Group, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { useState, type SyntheticEvent } from 'react'
import { hostSettingsSchema, type HostSettings, type InternetView } from '../../../../server/contract'
import { failureText } from '../../../lib/client/failure'
import { FormAlert } from '../../../ui/feedback/form-alert'
import { NumberField, numberIn } from '../../../ui/number-field'
import { useHostSettings } from '../../host-settings/use-host-settings'
import { Consent, type Terms } from './consent'
import { internetWords } from '../internet-words'
import { Fingerprint, KeyLine, ServerSettings } from './server-steps'
import { useInternetActions } from '../use-internet'

interface TunnelSetupProps {
  view: InternetView
  onStarted: () => void
  onClose: () => void
}

/** Sets the tunnel up, or shows only the part that its problem needs. Connecting again does not change the dialog. */
export function TunnelSetup(props: TunnelSetupProps) {
  const settings = useHostSettings().data?.settings
  const [troubled] = useState(() => troubledTunnel(props.view))
  if (!settings) return null
  return troubled ? (
    <Problem {...props} settings={settings} tunnel={troubled} />
  ) : (
    <TunnelForm {...props} settings={settings} />
  )
}

type Tunnel = NonNullable<InternetView['tunnel']>

/** A tunnel with something to do at its server. */
const troubledTunnel = ({ way, tunnel }: InternetView): Tunnel | undefined =>
  way === 'tunnel' && tunnel !== null && tunnel.problem !== null && tunnel.problem !== 'unreachable'
    ? tunnel
    : undefined

interface ProblemProps extends TunnelSetupProps {
  settings: HostSettings
  tunnel: Tunnel
}

/** One thing to do at the server, then the tunnel connects again. */
function Problem({ view, settings, tunnel, onStarted, onClose }: ProblemProps) {
  const { opening, isBusy } = useInternetActions()
  const { problem, fingerprint } = tunnel
  const isFingerprint = problem === 'fingerprint_unknown' || problem === 'fingerprint_changed'
  const connect = () =>
    opening.mutate(
      {
        way: 'tunnel',
        terms_accepted: true,
        keep_registration_open: view.registration_open,
        tunnel: {
          server: settings.tunnel_server,
          port: settings.tunnel_port,
          user: settings.tunnel_user,
          remote_port: settings.tunnel_remote_port,
          fingerprint: isFingerprint ? fingerprint : settings.tunnel_fingerprint,
        },
      },
      { onSuccess: onStarted },
    )
  return (
    <Stack gap="md">
      {opening.error && <FormAlert text={failureText(opening.error, { failed: internetWords.openFailed })} />}
      {isFingerprint && <Fingerprint tunnel={tunnel} confirmed={settings.tunnel_fingerprint} />}
      {problem === 'key_refused' && <KeyLine user={settings.tunnel_user} line={tunnel.authorized_key} />}
      {(problem === 'forwarding_refused' || problem === 'loopback_only') && <ServerSettings />}
      {problem === 'forwarding_refused' && <KeyLine user={settings.tunnel_user} line={tunnel.authorized_key} />}
      <Group justify="flex-end" gap="xs">
        <Button variant="subtle" color="gray" onClick={onClose}>
          Cancel
        </Button>
        <Button
          color={problem === 'fingerprint_changed' ? 'red.8' : 'quay'}
          loading={isBusy}
          disabled={isFingerprint && fingerprint === null}
          onClick={connect}
        >
          {problem === 'fingerprint_changed'
            ? 'Trust the new key'
            : isFingerprint
              ? 'They match: connect'
              : 'Connect again'}
        </Button>
      </Group>
    </Stack>
  )
}

const fields = ['tunnel_server', 'tunnel_user', 'tunnel_port', 'tunnel_remote_port'] as const
type Values = Record<(typeof fields)[number], string>

function TunnelForm({ view, settings, onStarted, onClose }: TunnelSetupProps & { settings: HostSettings }) {
  const { opening, isBusy } = useInternetActions()
  const [terms, setTerms] = useState<Terms>({ isAccepted: false, keepsRegistration: false })
  const [values, setValues] = useState<Values>(() => valuesOf(settings))
  const [wasSent, setWasSent] = useState(false)
  const mistakes = wasSent ? mistakesIn(values) : {}
  const inputProps = (name: keyof Values) => ({
    value: values[name],
    error: mistakes[name],
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) =>
      setValues({ ...values, [name]: value }),
  })
  const mayStart = terms.isAccepted || view.terms_accepted || !isCertified(values.tunnel_remote_port)
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    setWasSent(true)
    if (!mayStart || isBusy || Object.keys(mistakesIn(values)).length > 0) return
    const choice = {
      way: 'tunnel',
      terms_accepted: terms.isAccepted,
      keep_registration_open: terms.keepsRegistration,
    } as const
    opening.mutate({ ...choice, tunnel: tunnelIn(values, settings) }, { onSuccess: onStarted })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {opening.error && <FormAlert text={failureText(opening.error, { failed: internetWords.openFailed })} />}
        <Text>You need a server with SSH and a public address. Visitors connect to it, and it forwards them here.</Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
          <TextInput
            label="Server"
            placeholder="vps.example.org"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            data-autofocus
            {...inputProps('tunnel_server')}
          />
          <TextInput
            label="User"
            placeholder="slipway"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            {...inputProps('tunnel_user')}
          />
          <NumberField label="SSH port" {...inputProps('tunnel_port')} />
          <NumberField
            label="Port for visitors"
            description="With 443, people can sign in. Most servers reserve it for root."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...inputProps('tunnel_remote_port')}
          />
        </SimpleGrid>
        {view.tunnel && <KeyLine user={values.tunnel_user} line={keyLineFor(view.tunnel, values.tunnel_remote_port)} />}
        <ServerSettings />
        <Consent
          way="tunnel"
          view={view}
          settings={settings}
          port={values.tunnel_remote_port}
          hasCertificate={isCertified(values.tunnel_remote_port)}
          terms={terms}
          onChange={setTerms}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={!mayStart} loading={isBusy}>
            Connect
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** The line that allows the typed port. */
const keyLineFor = ({ authorized_key: line }: NonNullable<InternetView['tunnel']>, port: string) =>
  line.replace(/permitlisten="\d+"/, `permitlisten="${port}"`)

/** An authority validates at these ports only (RFC 8555 §8.3, RFC 8737 §3). */
const isCertified = (port: string) => port.trim() === '443' || port.trim() === '80'

const valuesOf = (settings: HostSettings): Values => ({
  tunnel_server: settings.tunnel_server,
  tunnel_user: settings.tunnel_user,
  tunnel_port: String(settings.tunnel_port),
  // The first time: the port with which everything works.
  tunnel_remote_port: settings.tunnel_server === '' ? '443' : String(settings.tunnel_remote_port),
})

function mistakesIn(values: Values): Partial<Values> {
  const { tunnel_server, tunnel_user, tunnel_port, tunnel_remote_port } = hostSettingsSchema.shape
  const rules = { tunnel_server, tunnel_user, tunnel_port, tunnel_remote_port }
  const wrong: Partial<Values> = {}
  for (const name of fields) {
    const isNumber = name === 'tunnel_port' || name === 'tunnel_remote_port'
    const { error } = rules[name].safeParse(isNumber ? numberIn(values[name]) : values[name])
    if (error) wrong[name] = error.issues[0]?.message ?? ''
    else if (values[name].trim() === '') wrong[name] = name === 'tunnel_user' ? 'Enter a user' : 'Enter a server'
  }
  return wrong
}

/** The confirmed fingerprint belongs to one server. */
function tunnelIn(values: Values, settings: HostSettings) {
  const server = values.tunnel_server.trim()
  const isSame = server === settings.tunnel_server && values.tunnel_port === String(settings.tunnel_port)
  return {
    server,
    user: values.tunnel_user.trim(),
    port: numberIn(values.tunnel_port),
    remote_port: numberIn(values.tunnel_remote_port),
    fingerprint: isSame ? settings.tunnel_fingerprint : null,
  }
}
