import { BucketNotice, BucketSummary } from '../bucket/bucket-notice'
import { BackupNotice } from '../data-folder/backup-notice'
import { DamagedFilesNotice } from '../data-folder/damaged-files'
import { ReleaseKeysNotice } from './release-keys-notice'
import { RestoredSettingsCard } from './restored-settings-card'

/** What is wrong, which the overview says after its first view. */
export const HostNotices = () => (
  <>
    <DamagedFilesNotice />
    <BucketNotice />
    <ReleaseKeysNotice />
    <RestoredSettingsCard />
  </>
)

/** Where copies of the data are. */
export const CopiesSummary = () => (
  <>
    <BackupNotice />
    <BucketSummary />
  </>
)
