import type { Writable } from 'node:stream'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { REPORT_FILES_MAX } from '../../contract'
import { AppError } from '../../core/errors'
import type { BlobDraft } from '../../data/blobs/drafts'
import type { ProjectRecord } from '../../data/records/project-records'
import type { ReportRecord } from '../../data/records/report-records'
import { requireStillHeld } from '../../http/endpoint/call'
import { declaredBytes } from '../../http/receive/pump-body'
import { OVERHEAD_BYTES, receiveFiles } from '../../http/receive/receive-file'
import { createPacer } from '../../http/transfers/bandwidth'
import { formatQuantity } from '../../texts/format'
import type { Reservation } from '../quota/quota'
import type { HeldRoom } from '../quota/strangers-room'
import { holdReportRoom, largestAttachment, requireAttachmentSize, tooLarge } from './report-room'

export type ReceiveDeps = Rooms<
  'accounts' | 'attachments' | 'data' | 'files' | 'projects' | 'transfers'
>

/** A file of a form, which no request can read yet. */
export interface Sent {
  draft: BlobDraft
  filename: string
}

/** What a form brings. Files that were not kept end with it. */
export interface Form extends AsyncDisposable {
  fields: Record<string, unknown>
  sent: readonly Sent[]
  /** Extends room and storage to what is kept. Throws `quota_exceeded`. */
  cover(bytes: number): Promise<void>
}

/**
 * Receives a form with files into drafts. Room and storage are held for the declared length, and
 * extended while bytes arrive. `report`: an existing one that gets the files.
 */
export async function receiveForm(
  context: ReceiveDeps,
  ctx: Context,
  project: ProjectRecord,
  report?: ReportRecord,
): Promise<Form> {
  const { files, transfers } = context
  const leastBytes = Math.max(0, declaredBytes(ctx) - OVERHEAD_BYTES)
  const most = report ? 1 : REPORT_FILES_MAX
  if (leastBytes > most * largestAttachment(context)) throw tooLarge(context)
  const room = holdReportRoom(context, project, leastBytes, report)
  const sent: Sent[] = []
  let reservation: Reservation | undefined

  const release = async () => {
    for (const { draft } of sent) await draft[Symbol.asyncDispose]()
    reservation?.release()
    room[Symbol.dispose]()
  }

  try {
    reservation = await files.quota.reserve(project.ownerId, leastBytes, { isOwn: false })
    const filename = `files for ${project.title}`
    const transfer = transfers.running.begin(ctx, { direction: 'upload', filename })
    const openDraft = opener(context, ctx, { reservation, room, sent, most })

    const fields = await receiveFiles(ctx, openDraft, createPacer(transfer))
    const cover = async (bytes: number) => {
      room.cover(bytes)
      await reservation?.cover(bytes)
    }
    return { fields, sent, cover, [Symbol.asyncDispose]: release }
  } catch (cause) {
    await release()
    throw cause
  }
}

interface Opening {
  reservation: Reservation
  room: HeldRoom
  sent: Sent[]
  most: number
}

/** Returns a function that opens a draft for the next file of a form. */
function opener(
  context: ReceiveDeps,
  ctx: Context,
  { reservation, room, sent, most }: Opening,
): (filename: string) => Promise<Writable> {
  /** Bytes of each file that are on the disk or on their way to it. */
  const claimed: number[] = []

  return async (filename) => {
    if (sent.length >= most)
      throw new AppError('invalid_input', `Send at most ${formatQuantity(most, 'file')}`, 'file')
    const place = claimed.push(0) - 1

    // A chunk of the request can have the end of one file and the beginning of the next, so a draft
    // must not release it. One file can still wait for the disk when the next one begins.
    const draft = await context.data.blobs.begin({
      onBytes(bytes) {
        requireStillHeld(ctx)
        requireAttachmentSize(context, bytes)
        claimed[place] = bytes
        const all = claimed.reduce((sum, more) => sum + more, 0)
        room.cover(all)
        return reservation.cover(all)
      },
      onWritten: () => reservation.wrote(sent.reduce((sum, it) => sum + it.draft.bytes, 0)),
    })

    sent.push({ draft, filename })
    return draft.stream
  }
}
