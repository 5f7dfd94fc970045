import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import type { Actor } from '../../access/actor'
import { memorySource } from '../../core/byte-source'
import { callerOf } from '../../http/endpoint/call'
import type { Delivered, Means } from '../../http/send/pump'
import { sendFile, type Keeping, type Sendable } from '../../http/send/send-file'
import { SharedBlocks } from '../../http/send/shared-blocks'
import type { BlobStore } from '../../data/blobs/blob-store'
import { sumsOf, zipOf, type Bundle } from './bundle'
import { Checksums } from './checksums'
import type { HandOver } from './hand-over'
import { sendAsTransfer } from './send-as-transfer'
import type { FileRecord } from '../../data/records/file-records'

interface How {
  /** The project of the download. */
  projectId?: string
  /** How caches may keep the bytes; default: as the visibility of the file allows. */
  keeping?: Keeping
}

/** Sends readable files, and counts a download after the last byte. */
export interface Delivery {
  /**
   * Sends a file, or redirects to its copy in the bucket. Not if `keeping` says otherwise than usual: caches keep what
   * never changes for a year, and the installer of iOS follows no redirect.
   */
  deliver: (ctx: Context, file: FileRecord, how?: How) => Promise<void>
  /** Sends the icon of a file. It is no transfer: pages show many. */
  deliverIcon: (ctx: Context, file: FileRecord, icon: Buffer, how?: Pick<How, 'keeping'>) => Promise<void>
  /** Sends several files as a zip. The bundle is built only if the caller may begin a transfer. */
  deliverZip: (ctx: Context, bundle: () => Bundle) => Promise<void>
  deliverSums: (ctx: Context, bundle: () => Bundle) => Promise<void>
}

type Needs = Parameters<typeof sendAsTransfer>[0] & {
  blobs: BlobStore
  downloads: { begin(visitor: string, file: FileRecord, through?: Through): Following }
  handOver: HandOver
}

/** What a download came through, for counting. */
interface Through {
  projectId?: string | undefined
  testerId?: string | undefined
}

interface Following {
  delivered: Delivered
  end(): void
}

export function deliverFiles(needs: Needs): Delivery {
  const { blobs, downloads, handOver } = needs
  const blocks = new SharedBlocks()
  const send = sendAsTransfer(needs, blocks)
  const checksums = new Checksums(needs)
  const open = (file: FileRecord) => blobs.open(file.blobId)
  return {
    async deliver(ctx, file, { projectId, keeping = usualKeeping(ctx, file) } = {}) {
      const { visitor, actor } = callerOf(ctx)
      const download = downloads.begin(visitor, file, { projectId, testerId: testerOf(actor) })
      try {
        const handed = keeping === 'public' ? await handOver.redirect(ctx, file) : undefined
        if (handed) return download.delivered(handed, true)
        const what = sendable(file, keeping, () => open(file), download.delivered)
        await send(ctx, () => ({ files: [file], what: { ...what, tag: handOver.tagFor(ctx, file) } }))
      } finally {
        download.end()
      }
    },
    deliverIcon: (ctx, file, icon, { keeping = usualKeeping(ctx, file) } = {}) =>
      sendFile(ctx, iconOf(file, icon, keeping), { blocks, flow: UNLIMITED }),
    deliverZip: (ctx, makeBundle) =>
      send(ctx, async () => {
        const bundle = makeBundle()
        const { visitor } = callerOf(ctx)
        const isAwaited = () => !ctx.res.destroyed
        const what = await zipOf({ checksums, open, isAwaited }, bundle, (file, range, isSure) => {
          const download = downloads.begin(visitor, file, { projectId: bundle.projectId })
          download.delivered(range, isSure)
          download.end()
        })
        return { files: bundle.files, what }
      }),
    deliverSums: (ctx, makeBundle) =>
      send(ctx, () => {
        const bundle = makeBundle()
        return { files: bundle.files, what: sumsOf(bundle) }
      }),
  }
}

const testerOf = (actor: Actor) => (actor.kind === 'tester' ? actor.linkId : undefined)

/** No cache may keep what came through a tester link, which can end. */
const usualKeeping = (ctx: Context, { isPublic }: FileRecord): Keeping =>
  isPublic && callerOf(ctx).actor.kind !== 'tester' ? 'public' : 'private'

function sendable(
  { filename, size, sha256, uploadedAt }: FileRecord,
  keeping: Keeping,
  open: Sendable['open'],
  delivered: Sendable['delivered'],
): Sendable {
  return { filename, size, tag: sha256, sha256, modifiedAt: uploadedAt, keeping, open, delivered }
}

const UNLIMITED: Means['flow'] = { take: (bytes) => bytes }

function iconOf({ uploadedAt }: FileRecord, icon: Buffer, keeping: Keeping): Sendable {
  const sha256 = createHash('sha256').update(icon).digest('hex')
  return {
    filename: 'icon.png',
    size: icon.length,
    tag: sha256,
    sha256,
    type: 'image/png',
    modifiedAt: uploadedAt,
    keeping,
    open: () => Promise.resolve(memorySource(icon)),
    delivered: () => undefined,
  }
}
