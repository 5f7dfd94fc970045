import { Delivery } from '../features/downloads/delivery'
import { HandOver, type Copies } from '../features/downloads/hand-over'
import { OfferedFiles } from '../features/local-files/offered-files'
import { publishLocalFiles } from '../features/local-files/publish-local'
import type { Attachments } from '../features/reports/attachments'
import { ResumableUploads } from '../features/resumable-uploads/resumable-uploads'
import { LimitedDownloads } from '../features/share-links/limited-downloads'
import { Downloads } from '../features/stats/downloads'
import { IdempotencyKeys } from '../features/uploads/idempotency'
import { usualPatience } from '../http/listen/patience'
import { CallRate } from '../http/pipeline/rate-limit'
import { RunningTransfers } from '../http/transfers/running-transfers'
import type { Accounts } from './accounts'
import type { Files } from './files'
import type { Foundation } from './foundation'
import type { Projects } from './projects'

export type Transfers = Awaited<ReturnType<typeof composeTransfers>>

/** Composes running transfers, resumable uploads and downloads. */
export async function composeTransfers(
  foundation: Foundation,
  accounts: Accounts,
  files: Files,
  projects: Projects,
  attachments: Pick<Attachments, 'attach'>,
  copies: () => Copies | undefined,
) {
  const { config, data, sources } = foundation
  const { settings, library, blobs, damaged, held } = data

  const { quota, policy } = files

  const running = new RunningTransfers({
    sources,
    users: accounts.users,
    settings: config.rateLimits === false ? undefined : settings,
  })

  const downloads = new Downloads(files.counts, sources, data.role.primary?.recordActivity)
  const handOver = new HandOver({ files: files.store, copies })

  const resumable = new ResumableUploads({
    store: files.uploads,
    partial: blobs.partial,
    files,
    projects,
    quota,
    receive: files.fileRequests.receive,
    attach: attachments.attach,
    ...usualPatience,
    ...config.patience,
  })

  if (!data.role.primary) await resumable.recover()

  return {
    running,
    downloads,
    limitedDownloads: new LimitedDownloads({
      library,
      links: files.shareLinks,
      ...foundation,
    }),
    callRate: new CallRate(),
    resumable,
    idempotency: new IdempotencyKeys(library, sources),
    offeredFiles: new OfferedFiles(),
    handOver,
    publishLocal: publishLocalFiles({ dataDir: data.dataDir, blobs, files }),
    delivery: new Delivery({
      ...{ blobs, damaged, held },
      files: files.store,
      filePolicy: policy,
      transfers: running,
      downloads,
      handOver,
    }),
  }
}
