import { Skeleton, Stack } from '@mantine/core'
import { LoadError } from '../../ui/feedback/load-error'
import { Page } from '../../ui/layout/page'
import { BackupsCard } from './backups-card'
import { DataFolderCard } from './data-folder-card'
import { useBackups } from './use-backups'
import { useDataFolder } from './use-data-folder'

export function DataPage() {
  const data = useDataFolder()
  const backups = useBackups()
  const error = data.error ?? backups.error
  const isComplete = data.data && backups.data
  return (
    <Page title="Data" description="Where this host stores its data and backups">
      {isComplete && (
        <Stack gap="lg" maw={760}>
          <DataFolderCard data={data.data} />
          <BackupsCard backups={backups.data} dataPath={data.data.path} />
        </Stack>
      )}
      {!isComplete && !error && (
        <Stack gap="md" role="status" aria-label="Loading">
          <Skeleton h={180} maw={760} />
          <Skeleton h={180} maw={760} />
        </Stack>
      )}
      {!isComplete && error && (
        <LoadError
          title="The data folder could not be loaded"
          error={error}
          onRetry={() => void Promise.all([data.refetch(), backups.refetch()])}
        />
      )}
    </Page>
  )
}
