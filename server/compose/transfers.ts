import { Delivery } from '../features/downloads/delivery'
import { HandOver } from '../features/downloads/hand-over'
import { OfferedFiles } from '../features/local-files/offered-files'
import { publishLocalFiles } from '../features/local-files/publish-local'
import type { Attachments } from '../features/reports/attachments'
import { ResumableUploads } from '../features/resumable-uploads/resumable-uploads'
import { LimitedDownloads } from '../features/share-links/limited-downloads'
import { Downloads } from '../features/stats/downloads'
import { IdempotencyKeys } from '../features/uploads/idempotency'
import { usualPatience } from '../http/listen/patience'
import type { composeBucket } from './bucket'
import type { Files } from './files'
import type { Foundation } from './foundation'
import type { Projects } from './projects'
import type { Traffic } from './traffic'

export type Transfers = Awaited<ReturnType<typeof composeTransfers>>

interface Deps {
  traffic: Traffic
  files: Files
  projects: Projects
  bucket: ReturnType<typeof composeBucket>
  attachments: Pick<Attachments, 'attach'>
}

/** Composes resumable uploads and downloads. */
export async function composeTransfers(
  foundation: Foundation,
  { traffic, files, projects, bucket, attachments }: Deps,
) {
  const { config, data, sources } = foundation
  const { library, blobs, damaged, held } = data

  const { quota, policy } = files

  const downloads = new Downloads(files.counts, sources, data.role.primary?.recordActivity)
  const handOver = new HandOver({ files: files.store, bucket })

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
    ...traffic,
    downloads,
    limitedDownloads: new LimitedDownloads({
      library,
      links: files.shareLinks,
      ...foundation,
    }),
    resumable,
    idempotency: new IdempotencyKeys(library, sources),
    offeredFiles: new OfferedFiles(),
    handOver,
    publishLocal: publishLocalFiles({ dataDir: data.dataDir, blobs, files }),
    delivery: new Delivery({
      ...{ blobs, damaged, held },
      files: files.store,
      filePolicy: policy,
      transfers: traffic.running,
      downloads,
      handOver,
    }),
  }
}
