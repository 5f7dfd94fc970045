import { Modal, type ModalProps } from '@mantine/core'
import { useApiForm } from '../../lib/forms/use-api-form'
import { useChangeSettings } from '../../lib/host/host-settings'
import { messages } from '../../lib/texts/messages'
import { notifySuccess } from '../../ui/feedback/notify'
import { FormFrame } from '../../ui/form-frame'
import { PasswordField } from '../../ui/password-field'

interface SecretProps {
  name: 'mail_password' | 'sso_client_secret'
  label: string
}

/** Saves a secret that the host never shows again. */
export const SecretDialog = ({
  opened,
  onClose,
  ...secret
}: Pick<ModalProps, 'opened' | 'onClose'> & SecretProps) => (
  <Modal opened={opened} onClose={onClose} title={secret.label}>
    <SecretForm onDone={onClose} {...secret} />
  </Modal>
)

function SecretForm({ name, label, onDone }: SecretProps & { onDone: () => void }) {
  const { mutateAsync } = useChangeSettings()
  const form = useApiForm<Partial<Record<typeof name, string>>>({
    saved: { [name]: '' },
    send: async (secret) => {
      await mutateAsync(secret)
      notifySuccess(messages.host.saved)
      onDone()
    },
    failed: messages.host.saveFailed,
  })

  return (
    <FormFrame form={form} submit="Save" onCancel={onDone}>
      <PasswordField
        label={label}
        description="Slipway never shows it again."
        autoComplete="new-password"
        {...form.getInputProps(name)}
      />
    </FormFrame>
  )
}
