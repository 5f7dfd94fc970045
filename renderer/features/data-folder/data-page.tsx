import { Skeleton, Stack } from '@mantine/core'
import { Loaded } from '../../ui/feedback/loaded'
import { BackupsCard } from './backups-card'
import { DamagedFiles } from './damaged-files'
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
    <Loaded query={both} title="The data folder could not be loaded" skeleton={<CardsSkeleton />}>
      {(data) => (
        <Stack gap="lg">
          <DamagedFiles damaged={data.backups.damaged} />
          <DataFolderCard data={data.folder} />
          <BackupsCard backups={data.backups} dataPath={data.folder.path} />
        </Stack>
      )}
    </Loaded>
  )
}

const CardsSkeleton = () => (
  <Stack gap="md" role="status" aria-label="Loading">
    <Skeleton h={180} />
    <Skeleton h={180} />
  </Stack>
)
