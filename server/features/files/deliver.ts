import type { Context } from 'koa'
import type { Actor } from '../../access/actor'
import { notFound } from '../../errors'
import { callerOf } from '../../http/call'
import type { ByteRange } from '../../http/range'
import { sendFile } from '../../http/send-file'
import { SlabPool } from '../../http/slab-pool'
import type { Blobs } from '../../storage/blobs'
import type { FileRecord, FileStore } from './file-store'
import type { FilePolicy } from './policy'
import type { RunningTransfers } from './running-transfers'

/** Sends a file that the caller may read, and counts the download once its last byte has been handed over. */
export type Deliver = (ctx: Context, file: FileRecord, projectId?: string) => Promise<void>

interface Needs {
  blobs: Blobs
  files: FileStore
  filePolicy: FilePolicy
  runningTransfers: RunningTransfers
  users: { isActive(userId: string): boolean }
  /** Follows which bytes a visitor is given, and counts the download when the file is complete. */
  downloads: { begin(visitor: string, file: FileRecord, projectId?: string): Following }
}

interface Following {
  delivered(range: ByteRange): void
  end(): void
}

export function deliverFiles(needs: Needs): Deliver {
  const { blobs, downloads, runningTransfers } = needs
  const pool = new SlabPool()
  return async (ctx, file, projectId) => {
    const { actor, visitor } = callerOf(ctx)
    const isAllowed = () => mayRead(needs, actor, file.id)
    const leave = runningTransfers.enter({ fileId: file.id, isAllowed, cut: () => ctx.res.destroy() })
    const download = downloads.begin(visitor, file, projectId)
    const open = () => blobs.open(file.blobId)
    try {
      await sendFile(ctx, { ...file, open, delivered: (range) => download.delivered(range) }, pool)
    } catch (cause) {
      throw isAllowed() ? cause : notFound('File')
    } finally {
      leave()
      download.end()
    }
  }
}

/** Whether the actor may read the file now; the record that the transfer began with may be out of date. */
function mayRead({ files, filePolicy, users }: Needs, actor: Actor, fileId: string): boolean {
  const file = files.find(fileId)
  const isActive = actor.kind === 'visitor' || users.isActive(actor.userId)
  return file !== undefined && isActive && filePolicy.can(actor, 'read', file)
}
