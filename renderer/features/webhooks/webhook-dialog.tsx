import { Modal } from '@mantine/core'
import type { Webhook } from '../../../server/contract'
import { ShownOnce } from '../../ui/dialog/shown-once'
import { Deliveries } from './deliveries'
import { WebhookForm } from './webhook-form'

/** The form for a saved or a new webhook, its new secret, or its deliveries. */
export interface DialogContent {
  saved?: Webhook
  secret?: string
  shows?: 'deliveries'
}

interface WebhookDialogProps {
  projectId: string
  isOpen: boolean
  content: DialogContent
  onSecret: (secret: string) => void
  onClose: () => void
}

export function WebhookDialog({
  projectId,
  isOpen,
  content,
  onSecret,
  onClose,
}: WebhookDialogProps) {
  const { saved, secret, shows } = content
  const isSecret = secret !== undefined
  const isList = shows === 'deliveries' && saved !== undefined
  const form = saved ? `Change ${saved.name}` : 'Add webhook'

  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      returnFocus={false}
      size={isList ? 'lg' : 'md'}
      title={isSecret ? 'Your signing secret' : isList ? `Deliveries of ${saved.name}` : form}
      // A stray click must not dismiss a secret that is shown only once.
      closeOnClickOutside={!isSecret}
      closeOnEscape={!isSecret}
      withCloseButton={!isSecret}
    >
      {isSecret ? (
        <ShownOnce
          value={secret}
          label="Signing secret"
          what="secret"
          text="Your server checks the signature of each message with it."
          onDone={onClose}
        />
      ) : isList ? (
        <Deliveries projectId={projectId} webhookId={saved.webhook_id} />
      ) : (
        <WebhookForm
          projectId={projectId}
          saved={saved}
          onSaved={(made) => (made === null ? onClose() : onSecret(made))}
          onClose={onClose}
        />
      )}
    </Modal>
  )
}
