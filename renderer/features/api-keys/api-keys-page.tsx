import { Button, Stack } from '@mantine/core'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { describePage } from '../../../server/contract/routes'
import { useHost } from '../../lib/host/host'
import { useMyProjects } from '../../lib/hooks/use-my-projects'
import { EmptyState } from '../../ui/feedback/empty-state'
import { Loaded } from '../../ui/feedback/loaded'
import { Page } from '../../ui/layout/page'
import { TableSkeleton } from '../../ui/table/skeletons'
import { ApiKeysTable } from './api-keys-table'
import { UploadExamples } from './upload-examples'
import { useApiKeys, type CreatedKey } from './use-api-keys'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { useLateDialog } from '../../ui/dialog/use-late-dialog'

export function ApiKeysPage() {
  const keys = useApiKeys()
  const projects = useMyProjects()

  const isHostKnown = useHost().version !== ''
  // Not `isPending`: the examples ask again for projects that have failed.
  const isComplete = isHostKnown && keys.isFetched && projects.isFetched
  const [created, setCreated] = useState<CreatedKey>()

  return (
    <Page {...describePage('apiKeys')} actions={<CreateApiKey onCreated={setCreated} />}>
      {/* Together: the examples would move while the list above them loads. */}
      {isComplete ? (
        <Stack gap="xl">
          <Loaded query={keys} title="Your API keys could not be loaded">
            {(data) =>
              data.length === 0 ? (
                <EmptyState
                  icon={IconKey}
                  title="No API keys yet"
                  text={
                    'Create one for each script or CI job, so that you can revoke one without ' +
                    'touching the others.'
                  }
                />
              ) : (
                <ApiKeysTable keys={data} />
              )
            }
          </Loaded>
          <UploadExamples created={created} />
        </Stack>
      ) : (
        <TableSkeleton rows={9} />
      )}
    </Page>
  )
}

const CreateApiKeyDialog = lazyPage(() => import('./create-api-key-dialog'), 'CreateApiKeyDialog')

function CreateApiKey({ onCreated }: { onCreated: (created: CreatedKey) => void }) {
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
