import type { Context } from 'koa'
import { accountOf } from '../../access/actor'
import { hashOfToken, newLinkToken } from '../../access/link-token'
import type { Rooms } from '../../compose/context'
import { reportFieldsSchema } from '../../contract/projects/reports'
import { AppError } from '../../core/errors'
import type { AttachmentRecord, ReportRecord } from '../../data/records/report-records'
import { callerOf, requireStillHeld } from '../../http/endpoint/call'
import { readJson } from '../../http/endpoint/read-json'
import { parseInput } from '../../http/endpoint/serve'
import { userAgentOf } from '../../http/pipeline/remote'
import { declaredBytes } from '../../http/receive/pump-body'
import { receiveForm, type ReceiveDeps, type Sent } from './receive-form'
import type { Door } from './reporter'
import { describeReporter } from './reporter-device'

/** Receives a report as JSON, or as a form with files. Returns the secret of its page. */
export async function receiveReport(
  context: ReceiveDeps,
  ctx: Context,
  door: Door,
): Promise<{ key: string; report: ReportRecord; problem?: AppError | undefined }> {
  const { project } = door.audience
  declaredBytes(ctx)
  if (!ctx.is('multipart/form-data')) {
    return keepReport(context, ctx, door, await readJson(ctx), [])
  }

  await using form = await receiveForm(context, ctx, project)
  return await keepReport(context, ctx, door, form.fields, form.sent)
}

/**
 * Adds a report with its files. A picture that cannot be read costs only itself: the report arrives
 * without it, and `problem` says why. A report that has arrived already stays as it is.
 */
async function keepReport(
  context: ReceiveDeps,
  ctx: Context,
  { audience, testerId }: Door,
  fields: object,
  sent: readonly Sent[],
) {
  const { library } = context.data
  const { reports } = context.projects
  // A form also sends fields that were left empty.
  const { text, kind, from, version, key: chosen, ...said } = parseInput(reportFieldsSchema, fields)

  const key = chosen ?? newLinkToken()
  const { id: projectId, ownerId } = audience.project
  const known = reports.opened(key)
  if (known) return { key, report: requireSame(known, projectId) }

  const { attachments, problem } = await keepAll(context, ownerId, sent)
  const browser = describeReporter(userAgentOf(ctx), ctx.get('accept-language'))

  try {
    const report = await library.transact((tx) => {
      requireStillHeld(ctx)
      const again = reports.opened(key)
      if (again) return requireSame(again, projectId)

      return reports.add(tx, {
        ...{ projectId, ownerId, tokenHash: hashOfToken(key), testerId },
        userId: accountOf(callerOf(ctx).actor),
        from: from || undefined,
        ...{ kind, text, version: version || undefined, attachments },
        device: {
          system: said.system || browser.system || undefined,
          model: said.model || browser.model || undefined,
          browser: said.browser || browser.browser || undefined,
          language: said.language || browser.language || undefined,
        },
      })
    })

    // A second request with the same key was faster.
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
