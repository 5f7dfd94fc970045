import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Rooms } from '../../compose/context'
import { api, REPORTS_PER_HOUR } from '../../contract'
import { AppError } from '../../core/errors'
import { requireStillHeld } from '../../http/endpoint/call'
import { readBody } from '../../http/endpoint/read-json'
import { replyToCall } from '../../http/endpoint/reply-json'
import { parseInput, serveRaw } from '../../http/endpoint/serve'
import { hideStorage } from '../file-requests/sender'
import { goTo, isBrowser, limitStrangers, tellProblem } from '../access-links/strangers'
import { linkAddress } from '../../network/link-address'
import { receiveForm, type ReceiveDeps } from './receive-form'
import { keepAll, receiveReport } from './receive-report'
import {
  enterAsApp,
  enterAsTester,
  enterAsVisitor,
  noRoomForReport,
  reportPath,
  requireReporter,
  type Door,
  type OwnReport,
} from './reporter'
import { requireTextRoom } from './report-room'
import { reporterUploadRoutes } from './reporter-uploads'

type Deps = ReceiveDeps & Rooms<'host' | 'network'>

const ofReporter = api.reports.addFile.input

/** What people without an account do: report, answer, and add files. */
export function reporterRoutes(router: Router, context: Deps): void {
  sendRoutes(router, context)
  answerRoute(router, context)
  fileRoute(router, context)
  reporterUploadRoutes(router, context)
}

function sendRoutes(router: Router, context: Deps): void {
  const { sendAsVisitor, sendAsTester, sendAsApp } = api.reports
  const limited = limitStrangers(context, REPORTS_PER_HOUR, 'reports')

  const send = async (
    ctx: Context,
    form: string | undefined,
    enter: () => Promise<Door> | Door,
  ) => {
    try {
      const door = await enter()
      const { title, id } = door.project
      const link = door.testerId ?? `${door.isFromApp ? 'app' : 'page'} ${id}`
      const { key, report, problem } = await limited(ctx, link, () =>
        hideStorage(receiveReport(context, ctx, door), noRoomForReport),
      )

      context.accounts.audit.record(ctx, {
        kind: 'report_create',
        subject: title,
        detail: report.kind,
      })
      const page = reportPath(key)

      if (form !== undefined && isBrowser(ctx))
        return goTo(ctx, problem ? `${page}?problem=${problem.code}` : page)
      ctx.status = 201
      replyToCall(ctx, sendAsVisitor, { url: linkAddress(context.network, page) })
    } catch (cause) {
      if (form === undefined) throw cause
      tellProblem(ctx, form, cause)
    }
  }

  serveRaw(router, sendAsVisitor, async (ctx, _caller, params) => {
    const { id } = parseInput(sendAsVisitor.input.pick({ id: true }), params)
    await send(ctx, `/p/${encodeURIComponent(id)}/report`, () => enterAsVisitor(context, id))
  })

  serveRaw(router, sendAsTester, async (ctx, _caller, params) => {
    const { token } = parseInput(sendAsTester.input.pick({ token: true }), params)
    const form = `/t/${encodeURIComponent(token)}/report`
    await send(ctx, form, () => enterAsTester(context, ctx, token))
  })

  serveRaw(router, sendAsApp, async (ctx, { actor }, params) => {
    const { id } = parseInput(sendAsApp.input.pick({ id: true }), params)
    // Java sends `Accept: text/html`, too.
    await send(ctx, undefined, () => enterAsApp(context, actor, id))
  })
}

function answerRoute(router: Router, context: Deps): void {
  const { answer } = api.reports
  serveRaw(router, answer, async (ctx, _caller, params) => {
    const { reportToken } = parseInput(ofReporter, params)
    const page = reportPath(reportToken)
    try {
      const { report, project } = requireReporter(context, ctx, reportToken)
      const { text } = parseInput(answer.input, { ...(await readBody(ctx)), ...params })
      requireStillHeld(ctx)
      requireTextRoom(context, project, Buffer.byteLength(text))
      const replied = context.projects.reports.reply(report.id, text, undefined)
      await hideStorage(replied, noRoomForReport)
      goTo(ctx, page)
    } catch (cause) {
      tellProblem(ctx, page, cause)
    }
  })
}

/** Receives one file by a form. */
function fileRoute(router: Router, context: Deps): void {
  serveRaw(router, api.reports.addFile, async (ctx, _caller, params) => {
    const { reportToken } = parseInput(ofReporter, params)
    const page = reportPath(reportToken)
    try {
      const own = requireReporter(context, ctx, reportToken)
      await hideStorage(receiveOne(context, ctx, own), noRoomForReport)
      goTo(ctx, page)
    } catch (cause) {
      tellProblem(ctx, page, cause)
    }
  })
}

async function receiveOne(context: Deps, ctx: Context, { report, project }: OwnReport) {
  await using form = await receiveForm(context, ctx, project, report)
  const { attachments, problem } = await keepAll(context, project.ownerId, form.sent)
  if (problem) throw problem
  const [attachment] = attachments
  if (!attachment) throw new AppError('file_missing', 'Choose a file that is not empty', 'file')

  try {
    await form.cover(attachment.size)
    await context.data.library.transact((tx) => {
      requireStillHeld(ctx)
      context.projects.reports.attach(tx, report.id, attachment)
    })
  } catch (cause) {
    // After an I/O error keep the bytes; startup recovery decides.
    if (cause instanceof AppError) await context.attachments.discard([attachment])
    throw cause
  }
}
