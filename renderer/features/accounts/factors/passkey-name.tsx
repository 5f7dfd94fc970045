import { TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../../server/contract'
import { useClient } from '../../../lib/client/client-context'
import { explainFailure } from '../../../lib/client/failure'
import { refresh } from '../../../lib/client/query-client'
import { queryKeys } from '../../../lib/client/query-keys'
import { useApiForm } from '../../../lib/forms/use-api-form'
import { browserName } from '../../../../server/texts/host/browser-name'
import { FormFrame } from '../../../ui/form-frame'
import { plainInput } from '../../../ui/plain-input'
import type { Client } from '../../../lib/client/api-client'
import { showAdded } from './show-recovery-codes'

interface NameFormProps {
  name: string
  submit: string
  send: (client: Client, name: string) => Promise<void>
  onDone: () => void
}

/** The name by which a person recognizes a passkey. */
function NameForm({ name, submit, send, onDone }: NameFormProps) {
  const client = useClient()
  const form = useApiForm({
    saved: { name },
    schema: api.factors.renamePasskey.input.pick({ name: true }),
    send: async (values) => {
      await send(client, values.name)
      onDone()
    },
    failed: explainFailure({ failed: 'Failed to save the passkey' }),
  })

  return (
    <FormFrame form={form} submit={submit} onCancel={onDone}>
      <TextInput
        label="Name"
        description="How you recognize it later, such as Laptop"
        {...plainInput}
        data-autofocus
        {...form.getInputProps('name')}
      />
    </FormFrame>
  )
}

interface NewPasskeyProps {
  /** What the browser has returned. */
  response: Record<string, unknown>
  onDone: () => void
}

export function NewPasskey({ response, onDone }: NewPasskeyProps) {
  const cache = useQueryClient()

  const add = async (client: Client, name: string) => {
    const { recovery_codes } = await client.factors.addPasskey({ name, response })
    await showAdded(cache, recovery_codes, 'Passkey added')
  }

  return (
    <NameForm
      name={browserName(navigator.userAgent)}
      submit="Add passkey"
      send={add}
      onDone={onDone}
    />
  )
}

export function RenamePasskey({
  id,
  name,
  onDone,
}: {
  id: string
  name: string
  onDone: () => void
}) {
  const cache = useQueryClient()

  const rename = async (client: Client, renamed: string) => {
    await client.factors.renamePasskey({ id, name: renamed })
    await refresh(cache, queryKeys.factors)
  }

  return <NameForm name={name} submit="Save" send={rename} onDone={onDone} />
}
