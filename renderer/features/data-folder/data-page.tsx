import { Skeleton, Stack } from '@mantine/core'
import { lazyPage } from '../../lib/browser/lazy-page'
import { Lazily } from '../../ui/feedback/lazily'
import { Loaded } from '../../ui/feedback/loaded'
import { BackupsCard } from './backups-card'
import { DataFolderCard } from './data-folder-card'
import { useBackups } from './use-backups'
import { useDataFolder } from './use-data-folder'

const DamagedFiles = lazyPage(() => import('./damaged-files'), 'DamagedFiles')

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
          <Lazily>
            {data.backups.damaged.length > 0 && <DamagedFiles damaged={data.backups.damaged} />}
          </Lazily>
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
