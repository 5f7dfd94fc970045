import { Stack } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { EmptyState } from '../../ui/feedback/empty-state'
import { LoadError } from '../../ui/feedback/load-error'
import { Page } from '../../ui/layout/page'
import { TableSkeleton } from '../../ui/table/skeletons'
import { ApiKeysTable } from './api-keys-table'
import { CreateApiKey } from './create-api-key'
import { UploadExamples } from './upload-examples'
import { useApiKeys } from './use-api-keys'

export function ApiKeysPage() {
  const { data: keys, error, refetch } = useApiKeys()
  const isEmpty = keys?.length === 0
  return (
    <Page
      title="API Keys"
      description="Let scripts and CI jobs upload for you, without your password."
      actions={<CreateApiKey />}
    >
      <Stack gap="xl">
        {!keys && !error && <TableSkeleton rows={3} />}
        {!keys && error && (
          <LoadError title="Your API keys could not be loaded" error={error} onRetry={() => void refetch()} />
        )}
        {isEmpty && (
          <EmptyState
            icon={IconKey}
            title="No API keys yet"
            text="Create one for each script or CI job, so that you can revoke one without touching the others."
          />
        )}
        {keys && !isEmpty && <ApiKeysTable keys={keys} />}
        <UploadExamples />
      </Stack>
    </Page>
  )
}
