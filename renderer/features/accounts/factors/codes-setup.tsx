import { Code, Stack, Text, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../../server/contract'
import { useClient } from '../../../lib/client/client-context'
import { explainFailure } from '../../../lib/client/failure'
import { useApiForm } from '../../../lib/forms/use-api-form'
import { QrPicture } from '../../../ui/dialog/qr-picture'
import { FormFrame } from '../../../ui/form-frame'
import { plainInput } from '../../../ui/plain-input'
import { showAdded } from './show-recovery-codes'

interface CodesSetupProps {
  begun: { setup: string; secret: string; url: string }
  onDone: () => void
}

/** A QR code for the app, and the first code that the app shows. */
export function CodesSetup({ begun: { setup, secret, url }, onDone }: CodesSetupProps) {
  const client = useClient()
  const cache = useQueryClient()

  const form = useApiForm({
    saved: { code: '' },
    schema: api.factors.addCodes.input.pick({ code: true }),
    send: async ({ code }) => {
      const { recovery_codes } = await client.factors.addCodes({ setup, code })
      onDone()
      await showAdded(cache, recovery_codes, 'Authenticator app added')
    },
    failed: explainFailure({ failed: 'Failed to set up codes' }),
  })

  return (
    <FormFrame form={form} submit="Set up codes" onCancel={onDone}>
      <Text>Scan this with an authenticator app. Then enter the six digits that it shows.</Text>
      <QrPicture value={url} />
      <Stack gap={4}>
        <Text size="sm" c="dimmed">
          No camera? Enter this secret in the app:
        </Text>
        <Code block style={{ overflowWrap: 'anywhere', whiteSpace: 'normal', userSelect: 'all' }}>
          {secret.match(/.{1,4}/g)?.join(' ')}
        </Code>
      </Stack>
      <TextInput
        label="Code"
        inputMode="numeric"
        data-autofocus
        {...plainInput}
        autoComplete="one-time-code"
        {...form.getInputProps('code')}
      />
    </FormFrame>
  )
}
