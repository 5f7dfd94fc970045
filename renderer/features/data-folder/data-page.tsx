import { Skeleton, Stack } from '@mantine/core'
import { Loaded } from '../../ui/feedback/loaded'
import { Page } from '../../ui/layout/page'
import { BackupsCard } from './backups-card'
import { DataFolderCard } from './data-folder-card'
import { useBackups } from './use-backups'
import { useDataFolder } from './use-data-folder'

export function DataPage() {
  const folder = useDataFolder()
  const backups = useBackups()
  const both = {
    data: folder.data && backups.data && { folder: folder.data, backups: backups.data },
    error: folder.error ?? backups.error,
    refetch: () => Promise.all([folder.refetch(), backups.refetch()]),
  }
  return (
    <Page title="Data" description="Where this host stores its data and backups">
      <Loaded query={both} title="The data folder could not be loaded" skeleton={<CardsSkeleton />}>
        {(data) => (
          <Stack gap="lg" maw={760}>
            <DataFolderCard data={data.folder} />
            <BackupsCard backups={data.backups} dataPath={data.folder.path} />
          </Stack>
        )}
      </Loaded>
    </Page>
  )
}

const CardsSkeleton = () => (
  <Stack gap="md" role="status" aria-label="Loading">
    <Skeleton h={180} maw={760} />
    <Skeleton h={180} maw={760} />
  </Stack>
)
