import type { Activity } from '../../../server/contract'
import { RecentTransfers } from '../activity/recent-transfers'
import { ManageSessions } from '../manage/manage-sessions'

/** What browsers manage this host, and what it has sent and received. */
export const PastActivity = ({ recent }: Pick<Activity, 'recent'>) => (
  <>
    <ManageSessions />
    <RecentTransfers recent={recent} />
  </>
)
