import { Alert, Modal, Stack, TextInput, type ModalProps } from '@mantine/core'
import { useState } from 'react'
import { queryKeys } from '../../lib/client/query-keys'
import { useCall } from '../../lib/client/use-call'
import { useApiForm } from '../../lib/forms/use-api-form'
import { notifySuccess } from '../../ui/feedback/notify'
import { FormFrame } from '../../ui/form-frame'

/** Sends a message, so that the person sees whether the settings work. */
export const MailTestDialog = ({ opened, onClose }: Pick<ModalProps, 'opened' | 'onClose'>) => (
  <Modal opened={opened} onClose={onClose} title="Send a test message">
    <TestForm onDone={onClose} />
  </Modal>
)

function TestForm({ onDone }: { onDone: () => void }) {
  const [problem, setProblem] = useState<string>()
  const { mutateAsync } = useCall((client, email: string) => client.settings.testMail({ email }), {
    refresh: [queryKeys.settings],
  })
  const form = useApiForm({
    saved: { email: '' },
    schema: async () => (await import('../../../server/contract')).api.settings.testMail.input,
    send: async ({ email }) => {
      const reply = await mutateAsync(email)
      setProblem(reply.problem ?? undefined)
      if (reply.problem !== null) return
      notifySuccess('The mail server took the message')
      onDone()
    },
    failed: 'Failed to send a test message',
  })

  return (
    <FormFrame form={form} submit="Send" onCancel={onDone}>
      <Stack gap="md">
        {problem !== undefined && (
          <Alert color="red" variant="light" title="The message was not sent" role="alert">
            {problem}
          </Alert>
        )}
        <TextInput
          label="To"
          description="An address of yours."
          type="email"
          autoComplete="email"
          {...form.getInputProps('email')}
        />
      </Stack>
    </FormFrame>
  )
}
