import { BucketCopies } from '../features/bucket/bucket-copies'
import { BucketConfig } from '../features/bucket/bucket-config'
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
export function composeBucket(foundation: Foundation, { users }: Accounts, { files, projects, transfers }: Deps) {
  const { config: server, data, sources, log } = foundation
  const { dataDir, disk, settings, secrets, library, blobs } = data
  const config = new BucketConfig({ dataDir, disk, settings, secrets, override: server.mirror })
  const { running, callRate } = transfers
  const { links } = projects.store
  const hasLimit = () => server.rateLimits !== false && settings.get().bytes_per_second_in_all !== null
  const mirror = new BucketCopies({
    library,
    store: files.copies,
    usage: new BucketUsage(library, sources),
    clock: sources,
    log,
    config,
    pace: {
      bytesPerSecond: () => config.get()?.bytes_per_second ?? null,
      sendBehind: (name) => running.sendBehind(name),
      hasVisitors: () => callRate.isHigh || (!hasLimit() && running.totals().downloads > 0),
    },
    open: (blobId) => blobs.open(blobId),
    owner: () => users.hostId ?? '',
    isWithheld: (fileId) => links.isWithheld(fileId),
    filesOfRelease: (releaseId) => links.ofRelease(releaseId).map(({ fileId }) => fileId),
  })
  return {
    mirror,
    config,
    /** For downloads; undefined while none come from the bucket. */
    copies: () => (config.get()?.use === 'on' ? mirror : undefined),
  }
}
