import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useLateDialog } from '../../lib/browser/late-dialog'
import type { CreatedKey } from './use-api-keys'

const CreateApiKeyDialog = lazyPage(() => import('./create-api-key-dialog'), 'CreateApiKeyDialog')

export function CreateApiKey({ onCreated }: { onCreated: (created: CreatedKey) => void }) {
  const { button, isOpen, isWanted, open, close } = useLateDialog()
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
      <Button ref={button} leftSection={<IconPlus size={16} />} onClick={start}>
        Create API key
      </Button>
      <Suspense>
        {isWanted && <CreateApiKeyDialog opened={isOpen} created={created} onCreated={show} onClose={close} />}
      </Suspense>
    </>
  )
}
