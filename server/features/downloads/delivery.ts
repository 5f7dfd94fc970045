import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import { memorySource, sliceSource, type BytePart } from '../../core/byte-source'
import type { FileRecord } from '../../data/records/file-records'
import { callerOf } from '../../http/endpoint/call'
import { isCrawler } from '../../http/pipeline/remote'
import type { Plan } from '../../http/send/download-plan'
import type { Delivered } from '../../http/send/pump'
import {
  planReply,
  sendBody,
  type Description,
  type Keeping,
  type Sendable,
} from '../../http/send/send-file'
import { SharedBlocks } from '../../http/send/shared-blocks'
import { unlimited } from '../../http/transfers/bandwidth'
import type { DownloadSource } from '../stats/downloads'
import { sumsOf, zipOf, type Bundle } from './bundle'
import { FileTransfers } from './file-transfers'
import type { HandOver } from './hand-over'
import { IntactBytes } from './intact-bytes'
import { ZipReplies, type ZipReply } from './zip-reply'

type Begin = (
  visitor: string,
  file: FileRecord,
  source: DownloadSource,
) => Pick<Sendable, 'delivered'> & { end: () => void }

type Deps = ConstructorParameters<typeof FileTransfers>[0] &
  ConstructorParameters<typeof IntactBytes>[0] &
  Omit<ConstructorParameters<typeof ZipReplies>[0], 'intact'> & {
    handOver: HandOver
    /** Counts the downloads of a visitor. */
    downloads: { begin: Begin }
  }

/** A zip for its caller only. */
export type PrivateZip = Omit<ZipReply, 'keeping' | 'delivered'>

interface Options {
  /** The project of the download. */
  projectId?: string | undefined
  /** How caches may store the bytes. By default, the visibility of the file decides. */
  keeping?: Keeping
  /** Follows the download, too, or throws. Called before the first byte. */
  follow?: (plan: Plan) => Promise<ReturnType<Begin> | undefined>
}

/** Sends readable files, and counts a download after the last byte. */
export class Delivery {
  readonly #blocks = new SharedBlocks()
  readonly #transfers: FileTransfers
  readonly #intact: IntactBytes
  readonly #zips: ZipReplies

  constructor(private readonly deps: Deps) {
    this.#transfers = new FileTransfers(deps, this.#blocks)
    this.#intact = new IntactBytes(deps)
    this.#zips = new ZipReplies({ ...deps, intact: this.#intact })
    // They may have bytes from before a file was mended.
    deps.damaged.onChange(() => this.#blocks.forget())
  }

  /**
   * Sends a file, or redirects to its copy in the bucket. Redirects only with the default
   * `keeping`: an immutable response is cached for a year, and the iOS installer follows no
   * redirects. Throws `file_damaged`.
   */
  async send(ctx: Context, file: FileRecord, options: Options = {}): Promise<void> {
    const { handOver } = this.deps
    const { projectId, keeping = usualKeeping(ctx, file) } = options
    const { filename, size, sha256, uploadedAt: modifiedAt } = file

    if (!handOver.hasCopy(file)) this.#intact.requireSound(file)
    const tag = handOver.tagFor(ctx, file)
    const description = { filename, size, tag, sha256, modifiedAt, keeping, isDateExact: true }
    const plan = planReply(ctx, description)
    if (!plan) return

    const followed = await options.follow?.(plan)
    const { actor } = callerOf(ctx)
    const linkId = 'linkId' in actor ? actor.linkId : undefined
    const counted = this.#count(ctx, file, { projectId, linkId })

    const countDelivered: Delivered = (range, isSure) => {
      counted.delivered(range, isSure)
      followed?.delivered(range, isSure)
    }

    try {
      const redirected = keeping === 'public' ? await handOver.redirect(ctx, file) : undefined
      if (redirected) return countDelivered(redirected, true)
      const open = () => this.#intact.open(file)
      const content = { ...description, open, delivered: countDelivered }
      await this.#transfers.send(ctx, { files: [file], content }, plan)
    } finally {
      counted.end()
      followed?.end()
    }
  }

  #count(ctx: Context, file: FileRecord, source: DownloadSource): ReturnType<Begin> {
    if (isCrawler(ctx)) return { delivered: () => undefined, end: () => undefined }
    return this.deps.downloads.begin(callerOf(ctx).visitor, file, source)
  }

  /** Sends the icon of a file. Not a transfer, because pages show many icons. */
  async sendIcon(
    ctx: Context,
    file: FileRecord,
    icon: Buffer,
    { keeping = usualKeeping(ctx, file) }: Pick<Options, 'keeping'> = {},
  ): Promise<void> {
    const content = toSendableIcon(file, icon, keeping)
    const plan = planReply(ctx, content)
    if (plan) await sendBody(ctx, content, plan, this.#blocks, unlimited)
  }

  /** Sends a document that was just written for its caller. Not a transfer either. */
  async sendWritten(
    ctx: Context,
    bytes: Buffer,
    about: Pick<Description, 'filename' | 'modifiedAt'> & { type: string },
  ): Promise<void> {
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const content: Sendable = {
      ...about,
      ...{ size: bytes.length, tag: sha256, sha256, keeping: 'private' },
      open: () => Promise.resolve(memorySource(bytes)),
      delivered: () => undefined,
    }

    const plan = planReply(ctx, content)
    if (plan) await sendBody(ctx, content, plan, this.#blocks, unlimited)
  }

  /** Sends a part of a blob, such as one size of a picture. Not a transfer either. */
  async sendPart(
    ctx: Context,
    blobId: string,
    part: Description & { offset: number },
  ): Promise<void> {
    this.#intact.requireSound({ blobId, filename: part.filename })
    const plan = planReply(ctx, part)
    const open = async () => sliceSource(await this.deps.blobs.open(blobId), part.offset)

    if (plan)
      await sendBody(
        ctx,
        { ...part, open, delivered: () => undefined },
        plan,
        this.#blocks,
        unlimited,
      )
  }

  /**
   * Sends a part of a file, such as a layer of an image. A transfer, but not a download of the
   * file.
   */
  async sendSlice(ctx: Context, file: FileRecord, part: BytePart): Promise<void> {
    const description = {
      filename: file.filename,
      size: part.size,
      tag: `${file.sha256}-${part.offset}`,
      modifiedAt: file.uploadedAt,
      keeping: usualKeeping(ctx, file),
    }

    this.#intact.requireSound(file)
    const plan = planReply(ctx, description)
    const open = async () => sliceSource(await this.#intact.open(file), part.offset)
    const content = { ...description, open, delivered: () => undefined }

    if (plan) await this.#transfers.send(ctx, { files: [file], content }, plan)
  }

  /** Sends several files as a zip. The bundle is built only if the caller may begin a transfer. */
  sendZip(ctx: Context, makeBundle: () => Bundle): Promise<void> {
    return this.#transfers.sendPrepared(ctx, async () => {
      const bundle = makeBundle()
      const { files, projectId } = bundle

      const content = await this.#zips.toSendable({
        ...zipOf(bundle),
        delivered: (file, range, isSure) => {
          const { delivered, end } = this.#count(ctx, file, { projectId })
          delivered(range, isSure)
          end()
        },
      })

      return { files, content }
    })
  }

  /**
   * Sends a private zip of files and other things, which counts no downloads. It ends with the
   * session or key of the caller.
   */
  sendPrivateZip(ctx: Context, collect: () => PrivateZip): Promise<void> {
    return this.#transfers.sendPrepared(ctx, async () => {
      const zip = collect()
      const files = zip.members.flatMap(({ content }) => ('file' in content ? content.file : []))
      return { files, content: await this.#zips.toSendable(toReply(zip)), isCallerOnly: true }
    })
  }

  /** Returns the length of such a zip in bytes. */
  async sizeOfZip(zip: PrivateZip): Promise<number> {
    return (await this.#zips.toSendable(toReply(zip))).size
  }

  /**
   * Sends SHA256SUMS of several files. The bundle is built only if the caller may begin a transfer.
   */
  sendSums(ctx: Context, makeBundle: () => Bundle): Promise<void> {
    return this.#transfers.sendPrepared(ctx, () => {
      const bundle = makeBundle()
      return { files: bundle.files, content: sumsOf(bundle) }
    })
  }
}

/** Its downloads are not counted. */
const toReply = (zip: PrivateZip): ZipReply => ({
  ...zip,
  keeping: 'private',
  delivered: () => undefined,
})

/** No cache may store a response through a secret link, because the link can end. */
const usualKeeping = (ctx: Context, { isPublic }: FileRecord): Keeping =>
  isPublic && !('linkId' in callerOf(ctx).actor) ? 'public' : 'private'

function toSendableIcon({ uploadedAt }: FileRecord, icon: Buffer, keeping: Keeping): Sendable {
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
