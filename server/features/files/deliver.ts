import type { Context } from 'koa'
import { callerOf } from '../../http/call'
import { sendFile } from '../../http/send-file'
import type { Blobs } from '../../storage/blobs'
import type { FileRecord } from './file-store'

/** Sends a file that the caller may read, and counts the download once its last byte has been handed over. */
export type Deliver = (ctx: Context, file: FileRecord, projectId?: string) => Promise<void>

interface Counter {
  downloaded(visitor: string, fileId: string, projectId?: string): void
}

export function deliverFiles(blobs: Blobs, counts: Counter): Deliver {
  return async (ctx, file, projectId) => {
    const sent = await sendFile(ctx, { ...file, open: () => blobs.open(file.blobId) })
    if (sent.whole) counts.downloaded(callerOf(ctx).visitor, file.id, projectId)
  }
}
