import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import type { Actor } from '../../access/actor'
import { memorySource } from '../../core/byte-source'
import { ConnectionLost, notFound } from '../../core/errors'
import { callerOf } from '../../http/endpoint/call'
import type { Delivered, Means } from '../../http/send/pump'
import { sendFile, type Keeping, type Sendable } from '../../http/send/send-file'
import { SharedBlocks } from '../../http/send/shared-blocks'
import type { RunningTransfers } from '../../http/transfers/running-transfers'
import type { Transfer } from '../../http/transfers/transfer'
import type { Blobs } from '../../data/blobs/blobs'
import { sumsOf, zipOf, type Bundle } from './bundle'
import { Checksums } from './checksums'
import type { FileRecord, FileStore } from '../files/file-store'
import type { FilePolicy } from '../files/policy'

const VISITOR: Actor = { kind: 'visitor' }

interface How {
  /** The project of the download. */
  projectId?: string
  /** How caches may keep the bytes; default: as the visibility of the file allows. */
  keeping?: Keeping
}

/** Sends readable files, and counts a download after the last byte. */
export interface Delivery {
  deliver: (ctx: Context, file: FileRecord, how?: How) => Promise<void>
  /** Sends the icon of a file. It is no transfer: pages show many. */
  deliverIcon: (ctx: Context, file: FileRecord, icon: Buffer, how?: Pick<How, 'keeping'>) => Promise<void>
  /** Sends several files as a zip. The bundle is built only if the caller may begin a transfer. */
  deliverZip: (ctx: Context, bundle: () => Bundle) => Promise<void>
  deliverSums: (ctx: Context, bundle: () => Bundle) => Promise<void>
}

interface Needs {
  blobs: Blobs
  files: FileStore
  filePolicy: FilePolicy
  transfers: RunningTransfers
  downloads: { begin(visitor: string, file: FileRecord, through?: Through): Following }
}

/** What a download came through, for counting. */
interface Through {
  projectId?: string | undefined
  testerId?: string | undefined
}

interface Cargo {
  files: readonly FileRecord[]
  what: Sendable
}

interface Following {
  delivered: Delivered
  end(): void
}

export function deliverFiles(needs: Needs): Delivery {
  const { blobs, downloads } = needs
  const blocks = new SharedBlocks()
  const send = sending(needs, blocks)
  const checksums = new Checksums(needs)
  const open = (file: FileRecord) => blobs.open(file.blobId)
  return {
    async deliver(ctx, file, { projectId, keeping = usualKeeping(ctx, file) } = {}) {
      const { visitor, actor } = callerOf(ctx)
      const testerId = actor.kind === 'tester' ? actor.linkId : undefined
      const download = downloads.begin(visitor, file, { projectId, testerId })
      const what = sendable(file, keeping, () => open(file), download.delivered)
      await send(ctx, () => ({ files: [file], what })).finally(() => download.end())
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

/** Sends as a transfer. It includes the preparation, which can take longer than sending. */
function sending(needs: Needs, blocks: SharedBlocks) {
  return async (ctx: Context, prepare: () => Cargo | Promise<Cargo>): Promise<void> => {
    const transfer = needs.transfers.begin(ctx, { direction: 'download' })
    const work = async () => {
      const cargo = await prepare()
      if (ctx.res.destroyed) throw new ConnectionLost()
      await sendWhileAllowed(needs, ctx, cargo, { blocks, flow: transfer }, transfer)
    }
    await transfer.during(work())
  }
}

async function sendWhileAllowed(
  needs: Needs,
  ctx: Context,
  { files, what }: Cargo,
  means: Means,
  transfer: Transfer,
): Promise<void> {
  const caller = callerOf(ctx)
  // After a sign-out, or without the key, the download continues as a visitor's. One through a tester link ends with it.
  const actor = () => (caller.holds() ? caller.actor : VISITOR)
  const hasEnded = () => caller.actor.kind === 'tester' && !caller.holds()
  const isAllowed = () => !hasEnded() && files.every((file) => mayRead(needs, actor(), file.id))
  transfer.sends({ filename: what.filename, fileIds: new Set(files.map(({ id }) => id)), isAllowed })
  try {
    await sendFile(ctx, what, means)
  } catch (cause) {
    throw isAllowed() ? cause : notFound('File')
  }
}

/** Reads the current record: the one from the start of the transfer may be outdated. */
function mayRead({ files, filePolicy }: Needs, actor: Actor, fileId: string): boolean {
  const file = files.find(fileId)
  return file !== undefined && filePolicy.can(actor, 'read', file)
}
