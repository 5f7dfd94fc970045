import type { Context } from 'koa'
import type { Actor } from '../../access/actor'
import { ConnectionLost, notFound } from '../../core/errors'
import { callerOf } from '../../http/endpoint/call'
import type { Means } from '../../http/send/pump'
import { sendFile, type Sendable } from '../../http/send/send-file'
import type { SharedBlocks } from '../../http/send/shared-blocks'
import type { RunningTransfers } from '../../http/transfers/running-transfers'
import type { Transfer } from '../../http/transfers/transfer'
import type { FileStore } from '../files/file-store'
import type { FilePolicy } from '../files/policy'
import type { FileRecord } from '../../data/records/file-records'

const VISITOR: Actor = { kind: 'visitor' }

interface Needs {
  files: FileStore
  filePolicy: FilePolicy
  transfers: RunningTransfers
}

/** What a transfer sends, and the files that it consists of. */
interface Cargo {
  files: readonly FileRecord[]
  what: Sendable
}

/**
 * Sends as a transfer that ends when the caller may no longer read the files. It includes the preparation, which can
 * take longer than sending.
 */
export function sendAsTransfer(needs: Needs, blocks: SharedBlocks) {
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
