import type { Context } from 'koa'
import { accountOf } from '../../access/actor'
import { hashOfToken, newLinkToken } from '../../access/link-token'
import type { Rooms } from '../../compose/context'
import { reportFieldsSchema } from '../../contract/report-schemas'
import { AppError } from '../../core/errors'
import {
  attachmentBytes,
  type AttachmentRecord,
  type ReportRecord,
} from '../../data/records/report-records'
import { callerOf, requireStillHeld } from '../../http/endpoint/call'
import { readJson } from '../../http/endpoint/read-json'
import { parseInput } from '../../http/endpoint/serve'
import { declaredBytes } from '../../http/receive/pump-body'
import { receiveForm, type Form, type ReceiveDeps, type Sent } from './receive-form'
import type { NewReport } from './report-store'
import { requireKey, type Door } from './reporter'
import { describeDevice } from './reporter-device'
import { requireTextRoom } from './report-room'

/** Receives a report as JSON, or as a form with files. Returns the secret of its page. */
export async function receiveReport(
  context: ReceiveDeps,
  ctx: Context,
  door: Door,
): Promise<{ key: string; report: ReportRecord; problem?: AppError | undefined }> {
  const { project } = door
  declaredBytes(ctx)
  if (!ctx.is('multipart/form-data')) {
    return keepReport(context, ctx, door, await readJson(ctx))
  }

  await using form = await receiveForm(context, ctx, project)
  return await keepReport(context, ctx, door, form.fields, form)
}

/**
 * Adds a report with its files. A picture that cannot be read costs only itself: the report arrives
 * without it, and `problem` says why. A report that has arrived already keeps its files, and takes
 * the text that is sent now.
 */
async function keepReport(
  context: ReceiveDeps,
  ctx: Context,
  door: Door,
  fields: object,
  form?: Form,
) {
  const { library } = context.data
  const { reports } = context.projects
  const { project, testerId, isFromApp } = door
  // A form also sends fields that were left empty.
  const { key: chosen, ...said } = parseInput(reportFieldsSchema, fields)
  requireKey(door, chosen)

  const key = chosen ?? newLinkToken()
  const { id: projectId, ownerId } = project
  const written = {
    ...{ text: said.text, kind: said.kind },
    ...{ version: said.version || undefined, from: said.from || undefined },
  }
  const isNew = reports.opened(key) === undefined
  const { attachments, problem } = await keepAll(context, ownerId, isNew ? (form?.sent ?? []) : [])

  try {
    // Pictures can be larger than those that were sent.
    const textBytes = Buffer.byteLength(said.text)
    const hasFiles = isNew && attachments.length > 0
    if (hasFiles) await form?.cover(textBytes + attachmentBytes({ attachments }))

    const report = await library.transact((tx) => {
      requireStillHeld(ctx)
      const again = reports.opened(key)
      if (again) return reports.correct(tx, requireSame(again, projectId), written)

      if (!hasFiles) requireTextRoom(context, project, textBytes)
      const added: NewReport = {
        ...{ projectId, ownerId, tokenHash: hashOfToken(key), testerId, isFromApp },
        userId: isFromApp ? undefined : accountOf(callerOf(ctx).actor),
        ...{ ...written, attachments, signature: said.signature || undefined },
        device: describeDevice(ctx, said),
      }
      return reports.add(tx, reports.keepsFiles(added) ? added : { ...added, attachments: [] })
    })

    // A second request with the same key was faster, or its group has files enough.
    if (report.attachments !== attachments) await context.attachments.discard(attachments)
    return { key, report, problem }
  } catch (cause) {
    // After an I/O error keep the bytes; startup recovery decides.
    if (cause instanceof AppError) await context.attachments.discard(attachments)
    throw cause
  }
}

/** Makes the files of a form durable, but for empty ones. `problem`: of the first that failed. */
export async function keepAll(
  { attachments }: Rooms<'attachments'>,
  ownerId: string,
  sent: readonly Sent[],
): Promise<{ attachments: AttachmentRecord[]; problem?: AppError | undefined }> {
  const kept: AttachmentRecord[] = []
  let problem: AppError | undefined

  for (const { draft, filename } of sent) {
    if (draft.bytes === 0) continue
    try {
      kept.push(await attachments.keep(draft, filename, ownerId))
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause
      problem ??= cause
    }
  }

  return { attachments: kept, problem }
}

/** Returns a report that was sent twice. Throws `invalid_input` for a key of another project. */
function requireSame(report: ReportRecord, projectId: string): ReportRecord {
  if (report.projectId === projectId) return report
  throw new AppError('invalid_input', 'Choose another key', 'key')
}
