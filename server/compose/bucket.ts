import type { BucketPlace } from '../data/bucket/bucket-choice'
import { copierInside, isAmongMasters } from '../data/bucket-blobs/public-copies'
import { BucketCopies } from '../features/bucket/bucket-copies'
import { BucketConfig } from '../features/bucket/bucket-config'
import { ReplicaCopies } from '../features/bucket/replica-copies'
import { BucketUsage } from '../features/bucket/usage'
import type { Accounts } from './accounts'
import type { Files } from './files'
import type { Foundation } from './foundation'
import type { Projects } from './projects'
import type { Transfers } from './transfers'

interface Deps {
  files: Files
  projects: Projects
  transfers: Transfers
}

/** Composes the copies of public files in a bucket. */
export function composeBucket(
  foundation: Foundation,
  { users }: Accounts,
  { files, projects, transfers }: Deps,
) {
  const { config: server, data, sources, log } = foundation
  const { dataDir, disk, settings, secrets, library, blobs, replica, masters } = data
  const isTaken = masters && ((choice: BucketPlace) => isAmongMasters(masters, choice))
  const config = new BucketConfig({
    dataDir,
    disk,
    settings,
    secrets,
    override: server.mirror,
    isTaken,
  })
  const { running, callRate } = transfers
  const { links } = projects.store
  const hasLimit = () =>
    server.rateLimits !== false && settings.get().bytes_per_second_in_all !== null
  const shared = {
    library,
    store: files.copies,
    clock: sources,
    log,
    config,
    isWithheld: (fileId: string) => links.isWithheld(fileId),
  }
  const mirror = new BucketCopies({
    ...shared,
    usage: new BucketUsage(library, sources),
    pace: {
      bytesPerSecond: () => config.get()?.bytes_per_second ?? null,
      sendBehind: (name) => running.sendBehind(name),
      hasVisitors: () => callRate.isHigh || (!hasLimit() && running.totals().downloads > 0),
    },
    open: (blobId) => blobs.open(blobId),
    copyInside: (blob) => copierInside(masters, config.get(), blob),
    owner: () => users.hostId ?? '',
    filesOfRelease: (releaseId) => links.ofRelease(releaseId).map(({ fileId }) => fileId),
  })
  const atReplica = replica && new ReplicaCopies({ ...shared, replica })
  return {
    mirror,
    /** In place of `mirror` where another host keeps the copies. */
    atReplica,
    config,
    /** For downloads; undefined while none come from the bucket. */
    copies: () => (config.get()?.use === 'on' ? (atReplica ?? mirror) : undefined),
  }
}
