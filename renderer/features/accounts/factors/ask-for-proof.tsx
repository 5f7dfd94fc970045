import { Button, Stack, Text, TextInput } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { api } from '../../../../server/contract'
import { isAppWindow } from '../../../lib/browser/desktop'
import { useClient } from '../../../lib/client/client-context'
import { explainFailure } from '../../../lib/client/failure'
import { useCall } from '../../../lib/client/use-call'
import { useApiForm } from '../../../lib/forms/use-api-form'
import { placeForDialogs } from '../../../ui/dialog/dialog-readiness'
import { rememberControl } from '../../../ui/dialog/return-focus'
import { Loaded } from '../../../ui/feedback/loaded'
import { FormFrame } from '../../../ui/form-frame'
import { PasswordField } from '../../../ui/password-field'
import { plainInput } from '../../../ui/plain-input'
import { ProveBySso } from '../sso/prove-by-sso'
import { askForPasskey, PasskeyRefused, worksHere } from './passkey-browser'
import { hasFactor, useFactors } from './use-factors'

let asking: Promise<boolean> | undefined

/** Asks the person to prove who they are. Calls that need it at once share one dialog. */
export function askForProof(): Promise<boolean> {
  asking ??= openDialog().finally(() => (asking = undefined))
  return asking
}

async function openDialog(): Promise<boolean> {
  const returnFocus = rememberControl()
  const modals = await placeForDialogs

  return new Promise((answer) => {
    const close = (isProved: boolean) => {
      answer(isProved)
      modals.close(dialog)
    }
    const dialog = modals.open({
      title: 'Confirm that it is you',
      returnFocus: false,
      onClose: () => {
        returnFocus()
        answer(false)
      },
      children: <Proof onProved={() => close(true)} onCancel={() => close(false)} />,
    })
  })
}

interface ProofProps {
  onProved: () => void
  onCancel: () => void
}

function Proof(props: ProofProps) {
  const query = useFactors()

  return (
    <Stack gap="md">
      <Text>This needs a recent proof of your identity. It then counts for 15 minutes.</Text>
      <Loaded query={query} title="Your second factors could not be loaded">
        {(factors) => {
          if (isAppWindow()) return <ByPassword {...props} />
          if (!hasFactor(factors)) return <ProveBySso orElse={<ByPassword {...props} />} />
          const offersPasskey = factors.passkeys.length > 0 && worksHere(factors.passkey_origins)
          return (
            <>
              {offersPasskey && <ByPasskey {...props} />}
              <ByCode {...props} />
            </>
          )
        }}
      </Loaded>
    </Stack>
  )
}

/** For a field that is there when the dialog opens, and for one that waited for the factors. */
const focused = { 'data-autofocus': true, autoFocus: true }

function ByPassword({ onProved, onCancel }: ProofProps) {
  const client = useClient()
  const form = useApiForm({
    saved: { password: '' },
    send: async ({ password }) => {
      await client.factors.prove({ password })
      onProved()
    },
    failed: explainFailure({ failed: 'Failed to check the password' }),
    failuresAt: 'password',
  })

  return (
    <FormFrame form={form} submit="Continue" onCancel={onCancel}>
      <PasswordField
        label="Password"
        autoComplete="current-password"
        {...focused}
        {...form.getInputProps('password')}
      />
    </FormFrame>
  )
}

function ByCode({ onProved, onCancel }: ProofProps) {
  const client = useClient()
  const form = useApiForm({
    saved: { code: '' },
    schema: api.factors.signInByCode.input.pick({ code: true }),
    send: async ({ code }) => {
      await client.factors.prove({ code })
      onProved()
    },
    failed: explainFailure({ failed: 'Failed to check the code' }),
  })

  return (
    <FormFrame form={form} submit="Continue" onCancel={onCancel}>
      <TextInput
        label="Code"
        description="Six digits from your app, or a recovery code"
        {...plainInput}
        autoComplete="one-time-code"
        {...focused}
        {...form.getInputProps('code')}
      />
    </FormFrame>
  )
}

function ByPasskey({ onProved }: ProofProps) {
  const proving = useCall(
    async (client) => client.factors.prove({ passkey: await askForPasskey(client) }),
    {
      after: onProved,
      failed: (_input, cause) =>
        cause instanceof PasskeyRefused ? cause.message : 'Failed to check the passkey',
    },
  )

  return (
    <Button
      variant="default"
      leftSection={<IconFingerprint size={16} />}
      loading={proving.isPending}
      onClick={() => proving.mutate()}
    >
      Use a passkey
    </Button>
  )
}
