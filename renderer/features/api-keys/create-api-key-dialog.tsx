import { Modal } from '@mantine/core'
import { ShownOnce } from '../../ui/dialog/shown-once'
import { ApiKeyForm } from './api-key-form'
import type { CreatedKey } from './use-api-keys'

interface CreateApiKeyDialogProps {
  opened: boolean
  /** The new key, once there is one. */
  created: string | undefined
  onCreated: (key: CreatedKey | undefined) => void
  onClose: () => void
}

export function CreateApiKeyDialog({
  opened,
  created,
  onCreated,
  onClose,
}: CreateApiKeyDialogProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => onCreated(undefined)}
      title={created ? 'Your new API key' : 'Create API key'}
      // A stray click must not dismiss a key that is shown only once.
      closeOnClickOutside={!created}
      closeOnEscape={!created}
      withCloseButton={!created}
      returnFocus={false}
    >
      {created ? (
        <NewApiKey value={created} onDone={onClose} />
      ) : (
        <ApiKeyForm onCreated={onCreated} onCancel={onClose} />
      )}
    </Modal>
  )
}

function NewApiKey({ value, onDone }: { value: string; onDone: () => void }) {
  return (
    <ShownOnce
      value={value}
      label="API key"
      what="key"
      text="Until you leave this page, the terminal example contains it, too."
      onDone={onDone}
    />
  )
}
