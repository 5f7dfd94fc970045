import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'
import type { CreatedKey } from './use-api-keys'

const CreateApiKeyDialog = lazyPage(() => import('./create-api-key-dialog'), 'CreateApiKeyDialog')

export function CreateApiKey({ onCreated }: { onCreated: (created: CreatedKey) => void }) {
  const { isOpen, isNeeded, open, close } = useLateDialog()
  const [created, setCreated] = useState<string>()

  const show = (key: CreatedKey | undefined) => {
    setCreated(key?.value)
    if (key) onCreated(key)
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
      <AfterFirstView isNeeded={isNeeded}>
        <CreateApiKeyDialog opened={isOpen} created={created} onCreated={show} onClose={close} />
      </AfterFirstView>
    </>
  )
}
