import { SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { z } from 'zod'
import {
  hostSettingsSchema,
  type HostSettings,
  type InternetView,
  type TunnelChoice,
} from '../../../../server/contract'
import { useApiForm } from '../../../lib/forms/use-api-form'
import { FormFrame } from '../../../ui/form-frame'
import { NumberField, numberIn } from '../../../ui/number-field'
import { plainInput } from '../../../ui/plain-input'
import { useHostSettings } from '../../../lib/host/host-settings'
import { Consent, noTerms } from './consent'
import { internetWords } from '../internet-words'
import { Fingerprint, KeyLine, ServerSettings } from './server-steps'
import { useInternetActions } from '../use-internet'

interface TunnelSetupProps {
  view: InternetView
  onStarted: () => void
  onClose: () => void
}

/**
 * Sets the tunnel up, or shows only the part that its problem needs. Connecting again does not
 * change the dialog.
 */
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
  const hasChanged = problem === 'fingerprint_changed'

  const form = useApiForm({
    saved: {},
    send: async () => {
      await opening.mutateAsync({
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
      })

      onStarted()
    },
    failed: internetWords.openFailed,
  })

  return (
    <FormFrame
      form={form}
      submit={
        hasChanged ? 'Trust the new key' : isFingerprint ? 'They match: connect' : 'Connect again'
      }
      button={{
        color: hasChanged ? 'red.8' : 'quay',
        loading: isBusy,
        disabled: isFingerprint && fingerprint === null,
      }}
      onCancel={onClose}
    >
      {isFingerprint && <Fingerprint tunnel={tunnel} confirmed={settings.tunnel_fingerprint} />}
      {problem === 'key_refused' && (
        <KeyLine user={settings.tunnel_user} line={tunnel.authorized_key} />
      )}
      {(problem === 'forwarding_refused' || problem === 'loopback_only') && <ServerSettings />}
      {problem === 'forwarding_refused' && (
        <KeyLine user={settings.tunnel_user} line={tunnel.authorized_key} />
      )}
    </FormFrame>
  )
}

const schema = hostSettingsSchema.pick({
  tunnel_server: true,
  tunnel_user: true,
  tunnel_port: true,
  tunnel_remote_port: true,
})

function TunnelForm({
  view,
  settings,
  onStarted,
  onClose,
}: TunnelSetupProps & { settings: HostSettings }) {
  const { opening, isBusy } = useInternetActions()
  const form = useApiForm({
    saved: toFormValues(settings),
    schema,
    toInput: (values) => ({
      ...values,
      tunnel_port: numberIn(values.tunnel_port),
      tunnel_remote_port: numberIn(values.tunnel_remote_port),
    }),
    findMistakes: (values) => ({
      ...(values.tunnel_server.trim() === '' && { tunnel_server: 'Enter a server' }),
      ...(values.tunnel_user.trim() === '' && { tunnel_user: 'Enter a user' }),
    }),
    send: async (tunnel, { terms }) => {
      await opening.mutateAsync({
        way: 'tunnel',
        terms_accepted: terms.isAccepted,
        keep_registration_open: terms.keepsRegistration,
        tunnel: toTunnel(tunnel, settings),
      })
      onStarted()
    },
    failed: internetWords.openFailed,
  })

  const { tunnel_user: user, tunnel_remote_port: port, terms } = form.values
  const mayStart = terms.isAccepted || view.terms_accepted || !isCertified(port)

  return (
    <FormFrame
      form={form}
      submit="Connect"
      button={{ disabled: !mayStart, loading: isBusy }}
      onCancel={onClose}
    >
      <Text>
        You need a server with SSH and a public address. Visitors connect to it, and it forwards
        them here.
      </Text>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <TextInput
          label="Server"
          placeholder="vps.example.org"
          {...plainInput}
          data-autofocus
          {...form.getInputProps('tunnel_server')}
        />
        <TextInput
          label="User"
          placeholder="slipway"
          {...plainInput}
          {...form.getInputProps('tunnel_user')}
        />
        <NumberField label="SSH port" {...form.getInputProps('tunnel_port')} />
        <NumberField
          label="Port for visitors"
          description="With 443, people can sign in. Most servers reserve it for root."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('tunnel_remote_port')}
        />
      </SimpleGrid>
      {view.tunnel && <KeyLine user={user} line={keyLineFor(view.tunnel, port)} />}
      <ServerSettings />
      <Consent
        way="tunnel"
        view={view}
        settings={settings}
        port={port}
        hasCertificate={isCertified(port)}
        terms={terms}
        onChange={(changed) => form.setFieldValue('terms', changed)}
      />
    </FormFrame>
  )
}

/** The line that allows the typed port. */
const keyLineFor = ({ authorized_key: line }: NonNullable<InternetView['tunnel']>, port: string) =>
  line.replace(/permitlisten="\d+"/, `permitlisten="${port}"`)

/** An authority validates at these ports only (RFC 8555 §8.3, RFC 8737 §3). */
const isCertified = (port: string) => port.trim() === '443' || port.trim() === '80'

const toFormValues = (settings: HostSettings) => ({
  tunnel_server: settings.tunnel_server,
  tunnel_user: settings.tunnel_user,
  tunnel_port: String(settings.tunnel_port),
  // The first time: the port with which everything works.
  tunnel_remote_port: settings.tunnel_server === '' ? '443' : String(settings.tunnel_remote_port),
  terms: noTerms,
})

/** The confirmed fingerprint belongs to one server. */
function toTunnel(tunnel: z.output<typeof schema>, settings: HostSettings): TunnelChoice {
  const { tunnel_server: server, tunnel_port: port } = tunnel
  const isSame = server === settings.tunnel_server && port === settings.tunnel_port
  return {
    server,
    user: tunnel.tunnel_user,
    port,
    remote_port: tunnel.tunnel_remote_port,
    fingerprint: isSame ? settings.tunnel_fingerprint : null,
  }
}
