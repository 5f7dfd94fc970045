import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useFirstView } from '../../lib/browser/first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import type { CreatedKey } from './use-api-keys'

const CreateApiKeyDialog = lazyPage(() => import('./create-api-key-dialog'), 'CreateApiKeyDialog')

export function CreateApiKey({ onCreated }: { onCreated: (created: CreatedKey) => void }) {
  const [isOpen, { open, close }] = useDisclosure(false)
  const [created, setCreated] = useState<string>()
  const isFirstViewDone = useFirstView()
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
      <Suspense>
        {(isOpen || isFirstViewDone) && (
          <CreateApiKeyDialog opened={isOpen} created={created} onCreated={show} onClose={close} />
        )}
      </Suspense>
    </>
  )
}
