import type { Context } from 'koa'
import { VISITOR, type Actor } from '../../access/actor'
import { ConnectionLost, notFound } from '../../core/errors'
import type { FileRecord } from '../../data/records/file-records'
import { callerOf } from '../../http/endpoint/call'
import type { Plan } from '../../http/send/download-plan'
import { planReply, sendBody, type Sendable } from '../../http/send/send-file'
import type { SharedBlocks } from '../../http/send/shared-blocks'
import type { RunningTransfers } from '../../http/transfers/running-transfers'
import type { Transfer } from '../../http/transfers/transfer'
import type { FileStore } from '../files/file-store'
import type { FilePolicy } from '../files/policy'

interface Deps {
  files: FileStore
  filePolicy: FilePolicy
  transfers: RunningTransfers
}

/** The content of a transfer, and the files it consists of. */
interface Parcel {
  files: readonly FileRecord[]
  content: Sendable
  /** Whether it ends with the session or key, even if everyone may read its files. */
  isCallerOnly?: boolean
}

/** Sends files as transfers. Each one ends when its caller may no longer read the files. */
export class FileTransfers {
  constructor(
    private readonly deps: Deps,
    private readonly blocks: SharedBlocks,
  ) {}

  /** Sends a planned reply. */
  send(ctx: Context, parcel: Parcel, plan: Plan): Promise<void> {
    const transfer = this.deps.transfers.begin(ctx, { direction: 'download' })
    return transfer.during(this.#sendWhileAllowed(ctx, transfer, parcel, plan))
  }

  /** The transfer includes the preparation, which can take longer than sending. */
  sendPrepared(ctx: Context, prepare: () => Parcel | Promise<Parcel>): Promise<void> {
    const transfer = this.deps.transfers.begin(ctx, { direction: 'download' })
    const work = async () => {
      const parcel = await prepare()
      if (ctx.res.destroyed) throw new ConnectionLost()
      const plan = planReply(ctx, parcel.content)
      if (plan) await this.#sendWhileAllowed(ctx, transfer, parcel, plan)
    }
    return transfer.during(work())
  }

  async #sendWhileAllowed(
    ctx: Context,
    transfer: Transfer,
    { files, content, isCallerOnly = false }: Parcel,
    plan: Plan,
  ): Promise<void> {
    const { actor, holds } = callerOf(ctx)

    const isAllowed = () => {
      // Through a tester link or a share link, it ends with the link.
      if (('linkId' in actor || isCallerOnly) && !holds()) return false
      // After a sign-out, or without the key, the caller continues as a visitor.
      const reader = holds() ? actor : VISITOR
      return files.every(({ id }) => this.#mayRead(reader, id))
    }

    transfer.sends({
      filename: content.filename,
      fileIds: new Set(files.map(({ id }) => id)),
      isAllowed,
    })

    try {
      await sendBody(ctx, content, plan, this.blocks, transfer)
    } catch (cause) {
      throw isAllowed() ? cause : notFound('File')
    }
  }

  /** Reads the current record: the one from the start of the transfer may be outdated. */
  #mayRead(actor: Actor, fileId: string): boolean {
    const { files, filePolicy } = this.deps
    const file = files.find(fileId)
    return file !== undefined && filePolicy.can(actor, 'read', file)
  }
}
