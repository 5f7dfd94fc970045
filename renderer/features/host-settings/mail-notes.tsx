import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCall } from '../../lib/client/use-call'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useChangeSettings, useHostSettings } from '../../lib/host/host-settings'
import { queryKeys } from '../../lib/client/query-keys'
import { messages } from '../../lib/texts/messages'
import { notifySuccess } from '../../ui/feedback/notify'
import { Warning } from '../../ui/feedback/warning'
import { FormFrame } from '../../ui/form-frame'
import { PasswordField } from '../../ui/password-field'

/** The password of the mail server, and a test. `isSaved`: the fields above are in force. */
export function MailNotes({ isSaved }: { isSaved: boolean }) {
  const [opened, setOpened] = useState<'password' | 'test'>()
  const settings = useHostSettings().data?.settings
  if (!settings) return null
  const { mail_problem: problem, mail_password_set: hasPassword, mail_server: server } = settings
  const close = () => setOpened(undefined)

  return (
    <>
      {problem !== null && <Warning title="The last mail was not sent">{problem}</Warning>}
      {server === '' && (
        <Text c="dimmed" size="sm">
          With a mail server, testers and reporters can ask for mails, and people get links for
          forgotten passwords.
        </Text>
      )}
      <Group gap="xs">
        <Button variant="default" onClick={() => setOpened('password')}>
          {hasPassword ? 'Change the mail password' : 'Set a mail password'}
        </Button>
        <Button variant="default" disabled={!isSaved} onClick={() => setOpened('test')}>
          Send a test message
        </Button>
      </Group>
      <Modal opened={opened === 'password'} onClose={close} title="Mail password">
        <PasswordForm onDone={close} />
      </Modal>
      <Modal opened={opened === 'test'} onClose={close} title="Send a test message">
        <TestForm onDone={close} />
      </Modal>
    </>
  )
}

function PasswordForm({ onDone }: { onDone: () => void }) {
  const { mutateAsync } = useChangeSettings()
  const form = useApiForm({
    saved: { mail_password: '' },
    send: async (fields) => {
      await mutateAsync(fields)
      notifySuccess(messages.host.saved)
      onDone()
    },
    failed: messages.host.saveFailed,
  })

  return (
    <FormFrame form={form} submit="Save" onCancel={onDone}>
      <PasswordField
        label="Password"
        description="Slipway never shows it again."
        autoComplete="new-password"
        {...form.getInputProps('mail_password')}
      />
    </FormFrame>
  )
}

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
