import { PublicCopies } from '../features/bucket/public-copies'
import { BucketConfig } from '../features/bucket/bucket-config'
import { FollowedCopies } from '../features/bucket/followed-copies'
import { BucketUsage } from '../features/bucket/usage'
import type { Accounts } from './accounts'
import type { Files } from './files'
import type { Foundation } from './foundation'
import type { Projects } from './projects'
import type { Traffic } from './traffic'

interface Deps {
  files: Files
  projects: Projects
  traffic: Traffic
}

/** Composes the public copies of files in a bucket. */
export function composeBucket(
  foundation: Foundation,
  { users }: Accounts,
  { files, projects, traffic: { running, callRate } }: Deps,
) {
  const { config: server, data, sources, log } = foundation
  const { dataDir, disk, settings, secrets, library, blobs, role, primaryBlobs } = data

  const config = new BucketConfig({
    dataDir,
    disk,
    settings,
    secrets,
    override: server.bucket,
    requireApart: primaryBlobs?.requireApart,
  })

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

  const publicCopies = new PublicCopies({
    ...shared,
    usage: new BucketUsage(library, sources),
    pace: {
      bytesPerSecond: () => config.get()?.bytes_per_second ?? null,
      sendBehind: (name) => running.sendBehind(name),
      hasVisitors: () => callRate.isHigh || (!hasLimit() && running.totals().downloads > 0),
    },
    open: (blobId) => blobs.open(blobId),
    copyInside: (blob) => primaryBlobs?.copierInside(config.get(), blob),
    owner: () => users.hostId ?? '',
    filesOfRelease: (releaseId) => links.ofRelease(releaseId).map(({ fileId }) => fileId),
  })

  const { primary } = role
  const followed = primary && new FollowedCopies({ ...shared, primary })
  return {
    publicCopies,
    /** Replaces `publicCopies` where these are made elsewhere. */
    followed,
    config,
    /** The copies that downloads come from. */
    copies: followed ?? publicCopies,
  }
}
