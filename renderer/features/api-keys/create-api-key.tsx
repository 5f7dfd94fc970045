import { Button, Modal } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ShownOnce } from '../../ui/dialog/shown-once'
import { ApiKeyForm } from './api-key-form'
import type { CreatedKey } from './use-api-keys'

export function CreateApiKey({ onCreated }: { onCreated: (created: CreatedKey) => void }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const [created, setCreated] = useState<string>()
  const show = (key: CreatedKey) => {
    setCreated(key.value)
    onCreated(key)
  }
  const start = () => {
    setCreated(undefined)
    open()
  }
  return (
    <>
      <Button leftSection={<IconPlus size={16} />} onClick={start}>
        Create API key
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        onExitTransitionEnd={() => setCreated(undefined)}
        title={created ? 'Your new API key' : 'Create API key'}
        // A stray click must not dismiss a key that is shown only once.
        closeOnClickOutside={!created}
        closeOnEscape={!created}
        withCloseButton={!created}
      >
        {created ? <NewApiKey value={created} onDone={close} /> : <ApiKeyForm onCreated={show} onCancel={close} />}
      </Modal>
    </>
  )
}

function NewApiKey({ value, onDone }: { value: string; onDone: () => void }) {
  return (
    <ShownOnce
      value={value}
      label="API key"
      copyLabel="Copy key"
      title="Copy this key now"
      text="You cannot see it again. The host stores only a fingerprint. Until you leave this page, the terminal example contains it too."
      onDone={onDone}
    />
  )
}
