import { Skeleton, Stack } from '@mantine/core'
import type { Activity } from '../../../server/contract'
import { AfterFirstView } from '../../lib/browser/after-first-view'
import { lazyPage } from '../../lib/browser/lazy-page'
import { Loaded } from '../../ui/feedback/loaded'
import { Warning } from '../../ui/feedback/warning'
import { AddressesCard } from '../addresses/addresses-card'
import { DiskWarning } from '../data-folder/disk-room'
import { InternetCard } from '../internet/internet-card'
import { RunningTransfers } from '../activity/running-transfers'
import { StateLine } from '../activity/state-line'
import { useActivity } from '../activity/use-activity'

const loadLater = () => import('./host-later')
const HostNotices = lazyPage(loadLater, 'HostNotices')
const CopiesSummary = lazyPage(loadLater, 'CopiesSummary')
const PastActivity = lazyPage(() => import('./past-activity'), 'PastActivity')
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
        <AfterFirstView>
          <HostNotices />
        </AfterFirstView>
        <AddressesCard />
        {(activity.hosts === null || activity.internet !== null) && (
          <InternetCard isShared={activity.sharing} />
        )}
        <AfterFirstView>
          <CopiesSummary />
        </AfterFirstView>
      </Stack>
      {activity.hosts && (
        <AfterFirstView>
          <ClusterHosts hosts={activity.hosts} />
        </AfterFirstView>
      )}
      <RunningTransfers transfers={activity.transfers} />
      <AfterFirstView>
        <PastActivity recent={activity.recent} />
      </AfterFirstView>
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
