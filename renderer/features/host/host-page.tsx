import { Skeleton, Stack } from '@mantine/core'
import type { Activity } from '../../../server/contract'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { Loaded } from '../../ui/feedback/loaded'
import { Warning } from '../../ui/feedback/warning'
import { AddressesCard } from '../addresses/addresses-card'
import { BackupNotice } from '../data-folder/backup-notice'
import { DamagedFilesNotice } from '../data-folder/damaged-files'
import { DiskWarning } from '../data-folder/disk-room'
import { InternetCard } from '../internet/internet-card'
import { BucketNotice, BucketSummary } from '../bucket/bucket-notice'
import { ManageSessions } from '../manage/manage-sessions'
import { RecentTransfers } from '../activity/recent-transfers'
import { ReleaseKeysNotice } from './release-keys-notice'
import { RestoredSettingsCard } from './restored-settings-card'
import { RunningTransfers } from '../activity/running-transfers'
import { StateLine } from '../activity/state-line'
import { useActivity } from '../activity/use-activity'

const ClusterHosts = lazyPage(() => import('../activity/cluster-hosts'), 'ClusterHosts')

export function HostPage() {
  const { isLive, ...activity } = useActivity()
  return (
    <Loaded
      query={activity}
      title="The state of the host could not be loaded"
      skeleton={<OverviewSkeleton />}
    >
      {(data) => <Overview activity={data} isLive={isLive} />}
    </Loaded>
  )
}

function Overview({ activity, isLive }: { activity: Activity; isLive: boolean }) {
  return (
    <Stack gap="xl">
      <Stack gap="md">
        <StateLine activity={activity} />
        {!isLive && (
          <Warning title="Live updates have stopped">
            This page may be out of date. Reconnecting…
          </Warning>
        )}
        <DiskWarning disk={activity.disk} />
        <DamagedFilesNotice />
        <BucketNotice />
        <ReleaseKeysNotice />
        <RestoredSettingsCard />
        <AddressesCard />
        {(activity.hosts === null || activity.internet !== null) && (
          <InternetCard isShared={activity.sharing} />
        )}
        <BackupNotice />
        <BucketSummary />
      </Stack>
      {activity.hosts && (
        <AfterFirstView>
          <ClusterHosts hosts={activity.hosts} />
        </AfterFirstView>
      )}
      <ManageSessions />
      <RunningTransfers transfers={activity.transfers} />
      <RecentTransfers recent={activity.recent} />
    </Stack>
  )
}

function OverviewSkeleton() {
  return (
    <Stack gap="md" role="status" aria-label="Loading">
      <Skeleton h={72} />
      <Skeleton h={220} />
      <Skeleton h={120} />
    </Stack>
  )
}
